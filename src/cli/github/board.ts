/** A board as it is set up: its Status field with every option, and how many items hang on them. */
import { LegionError } from '../../core/model/fault.ts';
import type { GithubClient } from '../../github/client.ts';
import type { BoardSetupQuery, OpenProjectsQuery } from './generated/documents.generated.ts';
import type { ProjectName } from './project-name.ts';

/** As a new project of GitHub calls it, and as the tracker reads it. */
export const STATUS_FIELD = 'Status';

/** As many as a person chooses from; others are named by their number. */
const MOST_PROJECTS = 50;

export interface ColumnOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface BoardSetup {
  /** `owner/number`, with the owner as GitHub writes it. */
  readonly name: string;
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly field: string;
  readonly options: readonly ColumnOption[];
  readonly items: number;
}

export const BOARD = `query BoardSetup($owner: String!, $number: Int!, $field: String!) {
  repositoryOwner(login: $owner) {
    login
    ... on ProjectV2Owner {
      projectV2(number: $number) {
        id title url
        field(name: $field) { ... on ProjectV2SingleSelectField { id options { id name color description } } }
        items(first: 1) { totalCount }
      }
    }
  }
}`;

/** Rejects with `github.missing` where there is no such project, or one without the field. */
export async function readBoard(
  client: GithubClient,
  { owner, number }: ProjectName,
  signal: AbortSignal,
): Promise<BoardSetup> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  const variables = { owner, number, field: STATUS_FIELD };
  const { repositoryOwner } = await client.query<BoardSetupQuery>(BOARD, variables, how);
  const project = repositoryOwner?.projectV2 ?? undefined;
  if (repositoryOwner === null || project === undefined)
    throw new LegionError(
      'github.missing',
      `there is no project ${owner}/${number}, or the account may not see it`,
    );
  const { id, title, url, field, items } = project;
  if (field?.id === undefined || field.options === undefined)
    throw new LegionError(
      'github.missing',
      `the project ${owner}/${number} has no field ${STATUS_FIELD} with options; add one at ${url}/settings`,
    );
  const name = `${repositoryOwner.login}/${number}`;
  return { name, id, title, url, field: field.id, options: field.options, items: items.totalCount };
}

interface OpenProject {
  readonly name: string;
  readonly title: string;
}

export const PROJECTS = `query OpenProjects($owner: String!, $most: Int!) {
  repositoryOwner(login: $owner) {
    login
    ... on ProjectV2Owner { projectsV2(first: $most) { nodes { number title closed } } }
  }
}`;

/** Of an organization or a person, the newest first; none where there is no such owner. */
export async function openProjects(
  client: GithubClient,
  owner: string,
  signal: AbortSignal,
): Promise<readonly OpenProject[]> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  const variables = { owner, most: MOST_PROJECTS };
  const { repositoryOwner } = await client.query<OpenProjectsQuery>(PROJECTS, variables, how);
  return (repositoryOwner?.projectsV2?.nodes ?? []).flatMap((project) =>
    project === null || project.closed
      ? []
      : [{ name: `${repositoryOwner?.login}/${project.number}`, title: project.title }],
  );
}
