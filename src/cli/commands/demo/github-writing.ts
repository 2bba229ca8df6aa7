/** What a person writes on GitHub, without the marks of Legion: labels, issues, their place on a board, comments. */
import type { Story } from '../../../demo/story.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { GithubClient } from '../../../github/client.ts';

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

interface FoundRepository {
  readonly repository: { readonly id: string } | null;
}

export async function findRepository(
  client: GithubClient,
  repo: string,
  signal: AbortSignal,
): Promise<string> {
  const [owner, name] = repo.split('/');
  const { repository } = await client.query<FoundRepository>(
    'query DemoRepository($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }',
    { owner, name },
    { signal, tolerates: ['NOT_FOUND'] },
  );
  if (repository !== null) return repository.id;
  throw new LegionError('github.missing', `there is no repository ${repo}, or the token may not see it`);
}

const FIND = `
query DemoBoard($owner: String!, $number: Int!) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner {
      projectV2(number: $number) {
        id field(name: "Status") { ... on ProjectV2SingleSelectField { id options { id name } } }
      }
    }
  }
}`;

interface FoundProject {
  readonly repositoryOwner: {
    readonly projectV2?: {
      readonly id: string;
      readonly field?: {
        readonly id?: string;
        readonly options?: readonly { readonly id: string; readonly name: string }[];
      } | null;
    } | null;
  } | null;
}

export async function findProject(
  client: GithubClient,
  project: string,
  signal: AbortSignal,
): Promise<Omit<FoundBoard, 'repository'>> {
  const [owner, number] = project.split('/');
  const asked = { owner, number: Number(number) };
  const found = await client.query<FoundProject>(FIND, asked, { signal, tolerates: ['NOT_FOUND'] });
  const board = found.repositoryOwner?.projectV2;
  if (board === null || board === undefined)
    throw new LegionError('github.missing', `there is no project ${project}, or the token may not see it`);
  const option = board.field?.options?.find((each) => each.name.trim().toLowerCase() === FIRST.toLowerCase());
  if (board.field?.id === undefined || option === undefined)
    throw new LegionError('tracker.column_missing', `the board ${project} has no column for ${FIRST}`);
  return { project: board.id, field: board.field.id, option: option.id };
}

interface Labels {
  readonly node: { readonly labels: { readonly nodes: readonly { id: string; name: string }[] } };
}

/** The ids of these labels by name; those that are missing are made. */
export async function makeLabels(
  client: GithubClient,
  { repository }: FoundBoard,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const { node } = await client.query<Labels>(
    `query DemoLabels($id: ID!) { node(id: $id) { ... on Repository { labels(first: ${LABELS_READ}) { nodes { id name } } } } }`,
    { id: repository },
    { signal: new AbortController().signal },
  );
  const ids = new Map(node.labels.nodes.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const name of names) {
    if (ids.has(name)) continue;
    const made = await client.mutate<{ createLabel: { label: { id: string } } }>(
      'mutation DemoLabel($input: CreateLabelInput!) { createLabel(input: $input) { label { id } } }',
      { input: { repositoryId: repository, name, color: LABEL_COLOR } },
    );
    ids.set(name, made.createLabel.label.id);
  }
  return ids;
}

interface MadeIssue {
  readonly id: string;
  readonly number: number;
}

export async function makeIssue(
  client: GithubClient,
  { repository }: FoundBoard,
  { title, body, labels }: Story,
  ids: ReadonlyMap<string, string>,
): Promise<MadeIssue> {
  const labelIds = labels.flatMap((label) => ids.get(label) ?? []);
  const { createIssue } = await client.mutate<{ createIssue: { issue: MadeIssue } }>(
    'mutation DemoIssue($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number } } }',
    { input: { repositoryId: repository, title, body, labelIds } },
  );
  return createIssue.issue;
}

export async function putOnBoard(
  client: GithubClient,
  { project, field, option }: FoundBoard,
  issue: string,
): Promise<void> {
  const added = await client.mutate<{ addProjectV2ItemById: { item: { id: string } } }>(
    'mutation DemoItem($input: AddProjectV2ItemByIdInput!) { addProjectV2ItemById(input: $input) { item { id } } }',
    { input: { projectId: project, contentId: issue } },
  );
  const itemId = added.addProjectV2ItemById.item.id;
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
