/** What a person writes on GitHub, without the marks of Legion: labels, issues, their place on a board, comments. */

import { LegionError } from '../../../../core/model/fault.ts';
import type { Story } from '../../../../demo/story.ts';
import type { GithubClient } from '../../../../github/client.ts';
import { NEVER_ABORTED } from '../../../../lib/async/never-aborted.ts';
import type {
  DemoBoardQuery,
  DemoIssueMutation,
  DemoItemMutation,
  DemoLabelMutation,
  DemoLabelsQuery,
  DemoRepositoryQuery,
} from './generated/github-documents.generated.ts';

/** GitHub's ids of everything an issue needs. */
export interface FoundBoard {
  readonly repository: string;
  readonly project: string;
  /** The field Status and its option for what is new. */
  readonly field: string;
  readonly option: string;
}

/** Where new issues begin. */
const FIRST = 'Triage';
/** Of a label that nobody has made yet: gray, as GitHub's own. */
const LABEL_COLOR = 'ededed';
/** A project has some forty labels; the demo looks for five. */
const LABELS_READ = 100;

export const FIND_REPOSITORY =
  'query DemoRepository($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }';

export async function findRepository(
  client: GithubClient,
  repo: string,
  signal: AbortSignal,
): Promise<string> {
  const [owner, name] = repo.split('/');
  const { repository } = await client.query<DemoRepositoryQuery>(
    FIND_REPOSITORY,
    { owner, name },
    { signal, tolerates: ['NOT_FOUND'] },
  );
  if (repository !== null) return repository.id;
  throw new LegionError('github.missing', `there is no repository ${repo}, or the token may not see it`);
}

export const FIND_PROJECT = `
query DemoBoard($owner: String!, $number: Int!) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner {
      projectV2(number: $number) {
        id field(name: "Status") { ... on ProjectV2SingleSelectField { id options { id name } } }
      }
    }
  }
}`;

export async function findProject(
  client: GithubClient,
  project: string,
  signal: AbortSignal,
): Promise<Omit<FoundBoard, 'repository'>> {
  const [owner, number] = project.split('/');
  const asked = { owner, number: Number(number) };
  const found = await client.query<DemoBoardQuery>(FIND_PROJECT, asked, { signal, tolerates: ['NOT_FOUND'] });
  const board = found.repositoryOwner?.projectV2;
  if (board === null || board === undefined)
    throw new LegionError('github.missing', `there is no project ${project}, or the token may not see it`);
  const option = board.field?.options?.find((each) => each.name.trim().toLowerCase() === FIRST.toLowerCase());
  if (board.field?.id === undefined || option === undefined)
    throw new LegionError('tracker.column_missing', `the board ${project} has no column for ${FIRST}`);
  return { project: board.id, field: board.field.id, option: option.id };
}

export const LABELS = `query DemoLabels($id: ID!) {
  node(id: $id) { ... on Repository { labels(first: ${LABELS_READ}) { nodes { id name } } } }
}`;
export const CREATE_LABEL =
  'mutation DemoLabel($input: CreateLabelInput!) { createLabel(input: $input) { label { id } } }';

/** The ids of these labels by name; those that are missing are made. */
export async function makeLabels(
  client: GithubClient,
  { repository }: FoundBoard,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { node } = await client.query<DemoLabelsQuery>(LABELS, { id: repository }, { signal: NEVER_ABORTED });
  const labels = node !== null && 'labels' in node ? (node.labels?.nodes ?? []) : [];
  const ids = new Map(
    labels.flatMap((label) => (label === null ? [] : [[label.name.toLowerCase(), label.id]])),
  );
  for (const name of names) {
    if (ids.has(name)) continue;
    const { createLabel } = await client.mutate<DemoLabelMutation>(CREATE_LABEL, {
      input: { repositoryId: repository, name, color: LABEL_COLOR },
    });
    ids.set(name, requireMade(createLabel?.label, `label ${name}`).id);
  }
  return ids;
}

export const CREATE_ISSUE =
  'mutation DemoIssue($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number } } }';

export async function makeIssue(
  client: GithubClient,
  { repository }: FoundBoard,
  { title, body, labels }: Pick<Story, 'title' | 'body' | 'labels'>,
  ids: ReadonlyMap<string, string>,
): Promise<{ readonly id: string; readonly number: number }> {
  const labelIds = labels.flatMap((label) => ids.get(label) ?? []);
  const { createIssue } = await client.mutate<DemoIssueMutation>(CREATE_ISSUE, {
    input: { repositoryId: repository, title, body, labelIds },
  });
  return requireMade(createIssue?.issue, `issue ${title}`);
}

export const ADD_ITEM =
  'mutation DemoItem($input: AddProjectV2ItemByIdInput!) { addProjectV2ItemById(input: $input) { item { id } } }';

export async function putOnBoard(
  client: GithubClient,
  { project, field, option }: FoundBoard,
  issue: string,
): Promise<void> {
  const { addProjectV2ItemById: added } = await client.mutate<DemoItemMutation>(ADD_ITEM, {
    input: { projectId: project, contentId: issue },
  });
  const itemId = requireMade(added?.item, 'item of the board').id;
  const value = { singleSelectOptionId: option };
  await client.mutate(
    'mutation DemoColumn($input: UpdateProjectV2ItemFieldValueInput!) { updateProjectV2ItemFieldValue(input: $input) { clientMutationId } }',
    { input: { projectId: project, itemId, fieldId: field, value } },
  );
}

export async function addComment(client: GithubClient, issue: string, text: string): Promise<void> {
  await client.mutate(
    'mutation DemoComment($input: AddCommentInput!) { addComment(input: $input) { clientMutationId } }',
    { input: { subjectId: issue, body: text } },
  );
}

/** GitHub's schema allows an answer without the object that a mutation has made. */
function requireMade<T>(made: T | null | undefined, what: string): T {
  if (made !== null && made !== undefined) return made;
  throw new LegionError('github.unavailable', `GitHub does not show the ${what} that it has just made`);
}
