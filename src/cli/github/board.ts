/**
 * Reads a GitHub project for setup: its columns, the open projects of an owner, and the labels that
 * are missing in a repository.
 */

import { PROJECT_PATTERN } from '../../config/legion/schema.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../core/model/label.ts';
import type { GithubClient } from '../../integrations/github/client/client.ts';
import { openRepositoryLabels, readLabelIds } from '../../integrations/github/client/repository-labels.ts';
import type { BoardSetupQuery, OpenProjectsQuery } from './generated/documents.generated.ts';

/** Name of the status field in a new GitHub project. Legion's tracker uses the same field. */
export const STATUS_FIELD = 'Status';

/** Enough for a person to choose from. A project that is not listed can be chosen by its number. */
const MAX_PROJECTS = 50;

export interface ColumnOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface BoardSetup {
  /** `owner/number`, with the owner as GitHub spells it. */
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

/** Rejects with `github.missing` if the project or its field does not exist. */
export async function readBoard(
  client: GithubClient,
  { owner, number }: ProjectName,
  signal: AbortSignal,
): Promise<BoardSetup> {
  const options = { signal, tolerates: ['NOT_FOUND'] };
  const variables = { owner, number, field: STATUS_FIELD };
  const { repositoryOwner } = await client.query<BoardSetupQuery>(BOARD, variables, options);
  const project = repositoryOwner?.projectV2 ?? undefined;
  if (repositoryOwner === null || project === undefined)
    throw new LegionError(
      'github.missing',
      `Project ${owner}/${number} does not exist, or the account does not have permission to see it.`,
    );
  const { id, title, url, field, items } = project;
  if (field?.id === undefined || field.options === undefined)
    throw new LegionError(
      'github.missing',
      `Project ${owner}/${number} has no ${STATUS_FIELD} field with options. Add one at ${url}/settings.`,
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

/**
 * Lists the open projects of an organization or a person, newest first. Empty if the owner does not
 * exist.
 */
export async function listOpenProjects(
  client: GithubClient,
  owner: string,
  signal: AbortSignal,
): Promise<readonly OpenProject[]> {
  const options = { signal, tolerates: ['NOT_FOUND'] };
  const variables = { owner, most: MAX_PROJECTS };
  const { repositoryOwner } = await client.query<OpenProjectsQuery>(PROJECTS, variables, options);
  return (repositoryOwner?.projectsV2?.nodes ?? []).flatMap((project) =>
    project === null || project.closed
      ? []
      : [{ name: `${repositoryOwner?.login}/${project.number}`, title: project.title }],
  );
}

export interface ProjectName {
  readonly owner: string;
  readonly number: number;
}

const ADDRESS = /^https?:\/\/[^/\s]+\/(?:orgs|users)\/([^/\s]+)\/projects\/(\d+)(?:[/?#].*)?$/;

/**
 * Parses a GitHub project as people write it: `owner/number`, or its address copied from the
 * browser.
 */
export function readProjectName(text: string): ProjectName | undefined {
  const [, ownerOf, numberOf] = ADDRESS.exec(text.trim()) ?? [];
  const name = ownerOf === undefined ? text.trim() : `${ownerOf}/${numberOf}`;
  if (!PROJECT_PATTERN.test(name)) return undefined;
  const [owner = '', number = ''] = name.split('/');
  return { owner, number: Number(number) };
}

/** `option` is the flag that the error mentions. */
export function requireProjectName(option: string, text: string): ProjectName {
  const name = readProjectName(text);
  if (name !== undefined) return name;
  throw new LegionError(
    'usage.invalid',
    `${option} takes OWNER/NUMBER (such as acme/3) or the project’s URL, got ${quoteText(text)}`,
  );
}

export interface RepositoryLabels {
  /** `owner/name`. */
  readonly repo: string;
  readonly missing: readonly string[];
}

/**
 * Labels that Legion needs. The list `pull requests` is for repositories whose issues are in
 * another tracker.
 */
const WANTED_LABELS = {
  everything: [...LABELS, ...PULL_REQUEST_LABELS],
  'pull requests': PULL_REQUEST_LABELS,
} as const;

export async function findMissingLabels(
  client: GithubClient,
  repo: string,
  signal: AbortSignal,
  purpose: keyof typeof WANTED_LABELS = 'everything',
): Promise<RepositoryLabels> {
  const wanted = WANTED_LABELS[purpose];
  const [owner = '', name = ''] = repo.split('/');
  const { ids } = await readLabelIds(client, { owner, name }, wanted, signal);
  return { repo, missing: wanted.filter((label) => !ids.has(label)) };
}

/**
 * Creates the missing labels, as the tracker and the forge would do on first use. If a label has
 * been created in the meantime, keeps it.
 */
export async function makeLabels(client: GithubClient, { repo, missing }: RepositoryLabels): Promise<void> {
  const [login = '', name = ''] = repo.split('/');
  await openRepositoryLabels(client).idsOf({ owner: { login }, name }, missing);
}

/**
 * Describes how to add the missing columns. Recommends GitHub's settings page, because adding
 * columns there keeps the column of every item.
 */
export function describeMissingColumns({ url }: Pick<BoardSetup, 'url'>, missing: readonly string[]): string {
  return [
    `Issues cannot be moved to ${missing.join(', ')}. Add these options to the field ${STATUS_FIELD} at ${url}/settings.`,
    'Or let Legion rewrite all options; it saves the column of each item and restores it:',
    '  legion init --create-missing --rewrite-options',
  ].join('\n');
}
