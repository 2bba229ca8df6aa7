/**
 * Uses a GitHub project as the demo's board, and a clone of the project's repository as the code.
 * The demo acts as a person on GitHub, with an ordinary token and without Legion's markers.
 */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRepositoryName } from '../../../../config/legion/schema.ts';
import type { LegionPaths } from '../../../../config/paths.ts';
import type { EnvironmentVariables } from '../../../../core/model/environment.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { type DemoFolder, markAsDemo, resolveDemoRepository, runGit } from '../../../../demo/lay-out.ts';
import { type DemoGithub, isOnLoopback } from '../../../../demo/options.ts';
import { PROJECT } from '../../../../demo/project.ts';
import { assignStoryIds, STORIES } from '../../../../demo/stories.ts';
import type { DemoStory } from '../../../../demo/story.ts';
import type { GithubClient } from '../../../../integrations/github/client/client.ts';
import { type GithubConnection, openGithub } from '../../../../integrations/github/client/open.ts';
import { NEVER_ABORTED } from '../../../../lib/async/abortable.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { COMMAND_LINE_PERSON, type DemoBoard } from './board.ts';
import type {
  DemoBoardQuery,
  DemoIssueMutation,
  DemoItemMutation,
  DemoLabelMutation,
  DemoLabelsQuery,
  DemoRepositoryQuery,
} from './generated/github-documents.generated.ts';

/**
 * Opens the board. Creates the issues before the daemon starts, because the scenario must know the
 * numbers that GitHub assigns. Adds them to the board only while the daemon is running; until then
 * Legion ignores them. `folder` is the demo's directory.
 */
export async function openDemoGithubBoard(
  github: DemoGithub & { readonly project: string },
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const { client, repository, updateMain, close } = await openGithubCode(github, folder, context);
  try {
    const board = { repository, ...(await findProject(client, github.project, context.signal)) };
    const labels = await makeLabels(client, board, new Set(STORIES.flatMap((story) => story.labels)));
    const nodes = new Map<string, string>();
    for (const story of STORIES) {
      const { id, number } = await makeIssue(client, board, story, labels);
      nodes.set(`${github.repo.replace('/', '-')}-${number}`, id);
    }
    const getNode = (issue: string) => nodes.get(issue) ?? '';
    return {
      ...COMMAND_LINE_PERSON,
      serviceOptions: { github },
      stories: assignStoryIds([...nodes.keys()]),
      updateMain,
      close,
      submit: ({ id }) => putOnBoard(client, board, getNode(id)),
      clarify: (issue, text) => addComment(client, getNode(issue), text),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface GithubCode {
  /** A connection to GitHub that uses the person's token. */
  readonly client: GithubConnection;
  /** GitHub's id of the repository. */
  readonly repository: string;
  updateMain(demo: DemoFolder): Promise<void>;
  close(): Promise<void>;
}

/**
 * Clones the demo's GitHub repository into the demo's directory. Also used if the board is in
 * another service. Rejects if the repository is not the unmodified sample project. Writes nothing
 * to GitHub.
 */
export async function openGithubCode(
  github: DemoGithub,
  folder: string,
  { env, signal }: CommandContext,
): Promise<GithubCode> {
  const token = env[github.tokenVariable]?.trim() ?? '';
  const client = openGithub({
    url: github.url,
    environment: {},
    clock: systemClock,
    ...(isOnLoopback(github) ? { writeSpacingMs: 0 } : {}),
    identities: { legion: { kind: 'token', token }, impl: undefined, review: undefined },
  });
  try {
    const repository = await findRepository(client, github.repo, signal);
    const access = await client.credentials.gitAccess();
    await cloneSample(github, folder, { ...env, ...access });
    return {
      client,
      repository,
      close: () => client.close(),
      updateMain: (demo) => updateSample(demo.repository, { ...demo.environment, ...access }),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Clones the repository and checks that it is the sample project that the issues describe. Rejects
 * if the main branch holds another project or the result of an earlier demo.
 */
export async function cloneSample(
  { url, repo }: DemoGithub,
  folder: string,
  environment: EnvironmentVariables,
): Promise<void> {
  const clone = resolveDemoRepository(folder);
  await runGit(folder, ['clone', '--quiet', '--branch=main', `${url}/${repo}.git`, clone], environment);
  const other = Object.entries(PROJECT).find(([path, text]) => readContent(join(clone, path)) !== text);
  if (other !== undefined)
    throw new LegionError('demo.repository_other', `${other[0]} in ${repo} differs from the sample project.`);
}

/**
 * Creates the daemon's clone before the daemon would create it, because the clone must be marked as
 * belonging to the demo.
 */
export async function makeDemoClone(
  { url, repo }: DemoGithub,
  paths: LegionPaths,
  environment: EnvironmentVariables,
): Promise<void> {
  const { owner, name } = parseRepositoryName(repo);
  const clone = paths.clone(new URL(url).host, owner, name);
  mkdirSync(clone, { recursive: true, mode: 0o700 });
  await runGit(clone, ['init', '--quiet', '--bare', '.'], environment);
  await markAsDemo(clone, environment);
}

/** Pulls the changes that were merged on GitHub. */
export async function updateSample(repository: string, environment: EnvironmentVariables): Promise<void> {
  await runGit(repository, ['pull', '--quiet', '--ff-only'], environment);
}

function readContent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** GitHub ids needed to create an issue. */
export interface DemoProjectIds {
  readonly repository: string;
  readonly project: string;
  /** The Status field and its option for new issues. */
  readonly field: string;
  readonly option: string;
}

/** Status of new issues. */
const INITIAL_STATUS = 'Triage';
/** Colour of a new label: gray, which is also GitHub's default. */
const LABEL_COLOR = 'ededed';
/**
 * Maximum number of labels to read. A repository has about forty, and the demo needs five of them.
 */
const MAX_LABELS = 100;

export const FIND_REPOSITORY =
  'query DemoRepository($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }';

/** Returns GitHub's id of the repository. */
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
  throw new LegionError(
    'github.missing',
    `The repository ${repo} does not exist, or the token does not have permission to read it.`,
  );
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
): Promise<Omit<DemoProjectIds, 'repository'>> {
  const [owner, number] = project.split('/');
  const variables = { owner, number: Number(number) };
  const result = await client.query<DemoBoardQuery>(FIND_PROJECT, variables, {
    signal,
    tolerates: ['NOT_FOUND'],
  });
  const board = result.repositoryOwner?.projectV2;
  if (board === null || board === undefined)
    throw new LegionError(
      'github.missing',
      `The project ${project} does not exist, or the token does not have permission to read it.`,
    );
  const option = board.field?.options?.find(
    (each) => each.name.trim().toLowerCase() === INITIAL_STATUS.toLowerCase(),
  );
  if (board.field?.id === undefined || option === undefined)
    throw new LegionError('tracker.column_missing', `The board ${project} has no ${INITIAL_STATUS} column.`);
  return { project: board.id, field: board.field.id, option: option.id };
}

export const LABELS = `query DemoLabels($id: ID!) {
  node(id: $id) { ... on Repository { labels(first: ${MAX_LABELS}) { nodes { id name } } } }
}`;
export const CREATE_LABEL =
  'mutation DemoLabel($input: CreateLabelInput!) { createLabel(input: $input) { label { id } } }';

/** Returns the ids of these labels by name, and creates missing ones. */
export async function makeLabels(
  client: GithubClient,
  { repository }: DemoProjectIds,
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
    ids.set(name, requireCreated(createLabel?.label, `label ${name}`).id);
  }
  return ids;
}

export const CREATE_ISSUE =
  'mutation DemoIssue($input: CreateIssueInput!) { createIssue(input: $input) { issue { id number } } }';

export async function makeIssue(
  client: GithubClient,
  { repository }: DemoProjectIds,
  { title, body, labels }: Pick<DemoStory, 'title' | 'body' | 'labels'>,
  ids: ReadonlyMap<string, string>,
): Promise<{ readonly id: string; readonly number: number }> {
  const labelIds = labels.flatMap((label) => ids.get(label) ?? []);
  const { createIssue } = await client.mutate<DemoIssueMutation>(CREATE_ISSUE, {
    input: { repositoryId: repository, title, body, labelIds },
  });
  return requireCreated(createIssue?.issue, `issue ${title}`);
}

export const ADD_ITEM =
  'mutation DemoItem($input: AddProjectV2ItemByIdInput!) { addProjectV2ItemById(input: $input) { item { id } } }';

export async function putOnBoard(
  client: GithubClient,
  { project, field, option }: DemoProjectIds,
  issue: string,
): Promise<void> {
  const { addProjectV2ItemById: added } = await client.mutate<DemoItemMutation>(ADD_ITEM, {
    input: { projectId: project, contentId: issue },
  });
  const itemId = requireCreated(added?.item, 'board item').id;
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

/**
 * Returns the created object. Throws if the mutation returned none, which GitHub's schema allows
 * even if the object was created.
 */
function requireCreated<T>(created: T | null | undefined, kind: string): T {
  if (created !== null && created !== undefined) return created;
  throw new LegionError('github.unavailable', `GitHub did not return the ${kind} that it just created.`);
}
