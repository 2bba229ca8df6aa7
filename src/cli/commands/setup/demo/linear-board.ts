/**
 * Uses a Linear team as the demo's board. The demo acts as a person there: it writes, answers and
 * approves with an API key.
 */

import { LegionError } from '../../../../core/model/fault.ts';
import { getLabelStyle } from '../../../../core/model/label.ts';
import type { ColumnNames, Status } from '../../../../core/model/status.ts';
import type { DemoGithub } from '../../../../demo/options.ts';
import { assignStoryIds, STORIES } from '../../../../demo/stories.ts';
import type { DemoStory } from '../../../../demo/story.ts';
import type { LinearClient, LinearVariables } from '../../../../integrations/linear/client/client.ts';
import { createMissing } from '../../../../integrations/linear/client/create-missing.ts';
import { openLinear } from '../../../../integrations/linear/client/open.ts';
import { findTeam, type LinearTeam, readTeams } from '../../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { compareStates } from '../../../linear-team.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import type { DemoBoard } from './board.ts';
import type { DemoIssueMutation, DemoOpenIssuesQuery } from './generated/linear-documents.generated.ts';
import type { GithubCode } from './github-board.ts';
import { findLinearMistakes, type PersonComment } from './linear-mistakes.ts';
import type { ParsedLinearOptions } from './options.ts';

/**
 * Opens the board. Creates the issues in the Icebox before the daemon starts, because the scenario
 * must know the identifiers that Linear assigns; Legion does not start unclarified issues from the
 * Icebox. Moves them to Triage once the daemon is running. `folder` is the demo's directory.
 */
export async function openDemoLinearBoard(
  linear: ParsedLinearOptions,
  github: DemoGithub | undefined,
  folder: string,
  context: CommandContext,
): Promise<DemoBoard> {
  const value = context.env[linear.keyVariable]?.trim() ?? '';
  const client = openLinear({ url: linear.url, credential: { kind: 'api_key', value }, clock: systemClock });
  const closers: (() => Promise<void>)[] = [() => client.close()];
  const close = async () => {
    for (const end of closers.toReversed()) await end();
  };
  try {
    return { ...(await openBoard(client, { linear, github, folder, closers }, context)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenBoardOptions {
  readonly linear: ParsedLinearOptions;
  readonly github: DemoGithub | undefined;
  readonly folder: string;
  readonly closers: (() => Promise<void>)[];
}

/** Opens the board. Runs every check that can fail before the first write to Linear. */
async function openBoard(
  client: LinearClient,
  { linear, github, folder, closers }: OpenBoardOptions,
  context: CommandContext,
): Promise<Omit<DemoBoard, 'close'>> {
  const { signal } = context;
  const linearTeam = await findDemoTeam(client, linear.team, signal);
  const code = github && (await importGithubCode(github, folder, context));
  if (code !== undefined) closers.push(code.close);
  const team = await prepareTeam(client, linearTeam, signal);

  const uuids = new Map<string, string>();
  for (const story of STORIES) {
    const { id, identifier } = await makeIssue(client, team, story);
    uuids.set(identifier, id);
  }
  const getUuid = (issue: string) => uuids.get(issue) ?? '';
  const comments: PersonComment[] = [];
  const addPersonComment = async (issue: string, text: string) => {
    await addComment(client, getUuid(issue), text);
    comments.push({ issue, text });
  };
  const { url, keyVariable } = linear;
  return {
    serviceOptions: { github, linear: { url, keyVariable, team: team.id, statuses: team.statuses } },
    stories: assignStoryIds([...uuids.keys()]),
    submit: ({ id }) => moveIssue(client, getUuid(id), team.stateId('Triage')),
    clarify: addPersonComment,
    answer: ({ issue }, text) => addPersonComment(issue, text),
    approve: (issue) => putLabel(client, getUuid(issue), team.labelId('human-approved')),
    updateMain: async (demo) => code?.updateMain(demo),
    findMistakes: (until) =>
      findLinearMistakes(
        client,
        { issues: uuids, personComments: comments, names: team.statuses, github },
        until,
      ),
  };
}

async function importGithubCode(
  github: DemoGithub,
  folder: string,
  context: CommandContext,
): Promise<GithubCode> {
  const { openGithubCode } = await import('./github-board.ts');
  return openGithubCode(github, folder, context);
}

export const CREATE_ISSUE =
  'mutation DemoIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier } } }';

/**
 * Creates an issue in the Icebox. Linear chooses the issue's id, as it does for issues that people
 * create.
 */
export async function makeIssue(
  client: LinearClient,
  team: DemoTeam,
  { title, body, labels }: DemoStory,
): Promise<{ readonly id: string; readonly identifier: string }> {
  const labelIds = labels.map((label) => team.labelId(label));
  const { issueCreate } = await applyMutation<DemoIssueMutation>(client, CREATE_ISSUE, {
    input: { teamId: team.id, title, description: body, stateId: team.stateId('Icebox'), labelIds },
  });
  if (issueCreate.issue === null) throw createRefusedError();
  return issueCreate.issue;
}

export const UPDATE_ISSUE = `mutation DemoChange($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;

export async function moveIssue(client: LinearClient, id: string, stateId: string): Promise<void> {
  await applyMutation(client, UPDATE_ISSUE, { id, input: { stateId } });
}

export async function putLabel(client: LinearClient, id: string, label: string): Promise<void> {
  await applyMutation(client, UPDATE_ISSUE, { id, input: { addedLabelIds: [label] } });
}

export const ADD_COMMENT =
  'mutation DemoComment($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';

export async function addComment(client: LinearClient, issueId: string, body: string): Promise<void> {
  await applyMutation(client, ADD_COMMENT, { input: { issueId, body } });
}

async function applyMutation<T extends Readonly<Record<string, { readonly success: boolean }>>>(
  client: LinearClient,
  document: string,
  variables: LinearVariables,
): Promise<T> {
  const answer = await client.mutate<T>(document, variables);
  if (Object.values(answer).every(({ success }) => success)) return answer;
  throw createRefusedError();
}

function createRefusedError(): LegionError {
  return new LegionError(
    'linear.refused',
    'Linear rejected a change made by the demo without giving a reason.',
  );
}

/** A Linear team with its states and labels by name. */
export interface DemoTeam {
  /** UUID. */
  readonly id: string;
  /** State names by status, for states whose name differs from that of their status. */
  readonly statuses: ColumnNames;
  stateId(status: Status): string;
  labelId(name: string): string;
}

/**
 * Finds the Linear team for a demo. Rejects a team that has open issues, because the demo's workers
 * would start to work on them.
 */
export async function findDemoTeam(
  client: LinearClient,
  named: string,
  signal: AbortSignal,
): Promise<LinearTeam> {
  const team = findTeam(await readTeams(client, signal), named);
  const [problem] = compareStates(team, {}).problems;
  if (problem !== undefined) throw new LegionError('linear.refused', `${team.key}: ${problem}`);
  const { issues } = await client.query<DemoOpenIssuesQuery>(
    OPEN_ISSUES_QUERY,
    { team: team.id },
    { signal },
  );
  const [open] = issues.nodes;
  if (open === undefined) return team;
  throw new LegionError('demo.team_busy', `The team ${team.key} has an open issue, ${open.identifier}.`);
}

export const OPEN_ISSUES_QUERY = `
query DemoOpenIssues($team: ID!) {
  issues(first: 1, filter: { team: { id: { eq: $team } }, state: { type: { nin: ["completed", "canceled", "duplicate"] } } }) {
    nodes { identifier }
  }
}`;

/** Creates the states and labels that the team lacks. */
export async function prepareTeam(
  client: LinearClient,
  team: LinearTeam,
  signal: AbortSignal,
): Promise<DemoTeam> {
  const { missing } = compareStates(team, {});
  const existing = new Set(
    team.labels.filter(({ isGroup }) => !isGroup).map(({ name }) => normalizeLabelName(name)),
  );
  const storyLabels = [...new Set(STORIES.flatMap((story) => story.labels))].filter(
    (name) => !existing.has(name),
  );
  const labels = [...missing.labels, ...storyLabels];
  const ignoreResult = () => undefined;
  await createMissing({
    client,
    team: team.id,
    missing: { states: missing.states, labels },
    labelStyle: getLabelStyle,
    onResult: ignoreResult,
    signal,
  });
  return toDemoTeam(findTeam(await readTeams(client, signal), team.id));
}

/**
 * Converts the team. Looking up an id throws if Linear did not return a state or label that was
 * just created.
 */
function toDemoTeam(team: LinearTeam): DemoTeam {
  const { columns } = compareStates(team, {});
  const requireId = (description: string, id: string | undefined) => {
    if (id !== undefined) return id;
    throw new LegionError('linear.missing', `The team ${team.key} has no ${description}.`);
  };
  return {
    id: team.id,
    statuses: columns.names,
    stateId(status) {
      const column = columns.rows.find((row) => row.status === status)?.column;
      return requireId(`state for ${status}`, team.states.find(({ name }) => name === column)?.id);
    },
    labelId: (name) =>
      requireId(
        `label ${name}`,
        team.labels.find(
          (label) => !label.isGroup && normalizeLabelName(label.name) === normalizeLabelName(name),
        )?.id,
      ),
  };
}

function normalizeLabelName(name: string): string {
  return name.trim().toLowerCase();
}
