/**
 * Opens the GitHub tracker: the issues of one or more boards (Projects v2) of an organization or a
 * user.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { formatCount } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import { type ColumnNames, findColumn, STATUSES, type Status } from '../../../core/model/status.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { isRefusal } from '../../../lib/read-isolated.ts';
import type { Tracker } from '../../../ports/tracker.ts';
import { type AuthorPolicy, requireIssueId, withCommentProblems } from '../../tracker-support/issue-input.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import { isOneOf } from '../client/account.ts';
import type { GithubClient } from '../client/client.ts';
import { createStep, makeChanges } from '../client/graphql-answer.ts';
import { isSameRepository, toIssueReferenceKey } from '../client/issue-reference.ts';
import { createAuthors, type GithubPermissions, openPermissions } from '../client/permissions.ts';
import { openRepositoryLabels } from '../client/repository-labels.ts';
import {
  collectBlockers,
  type IssueBlockers,
  listDistinctReferences,
  NO_BLOCKERS,
  openBlockerStates,
} from './blockers.ts';
import { openBoard } from './board.ts';
import { hasEnded, isDone } from './board-fields.ts';
import type { FieldNames, ProjectName } from './board-requests.ts';
import { createCommentWriter, openComments } from './comments.ts';
import { openContents } from './contents.ts';
import {
  type BoardNotes,
  type GithubTrackerContext,
  type IssueHint,
  openKnownIssues,
  readProjectIds,
} from './context.ts';
import { createIssueCreator } from './create.ts';
import { openDependencies } from './dependencies.ts';
import { type GithubIssueSnapshot, readIssueSnapshot, requireIssueSnapshot } from './issue-snapshot.ts';
import { listBoardIssues } from './list.ts';
import { describeIssue, toIssuePosition } from './to-issue.ts';
import { buildColumnSteps, createCloseStep, writeIssueChange } from './write.ts';

export interface GithubTrackerOptions {
  readonly client: GithubClient;
  /**
   * Boards as `owner/number`. The first board determines an issue's column, and new issues are
   * added to it.
   */
  readonly projects: readonly string[];
  readonly columns: () => ColumnNames;
  /**
   * Repositories, as `owner/name`, whose issues may start workers. New issues without a parent are
   * created in the first.
   */
  readonly repositories: () => readonly string[];
  readonly authors: () => AuthorPolicy;
  /** Cached write permissions, which other users of the same GitHub server may share. */
  readonly permissions?: GithubPermissions;
  readonly clock: Pick<Clock, 'now'>;
  /** Legion's own logins, such as `ada` or `legion-impl[bot]`. */
  readonly accounts: readonly string[];
  readonly fields?: FieldNames;
}

export interface GithubTracker extends Tracker {
  /** Returns the id of a known issue by the reference that a webhook contains. Pure. */
  idOf(hint: IssueHint): IssueId | undefined;
  /** Returns problems that the operator should know about but that do not make the list fail. */
  problems(): readonly string[];
}

/** Field names of a new GitHub project. */
const FIELDS: FieldNames = { status: 'Status', priority: 'Priority' };

export async function openGithubTracker(options: GithubTrackerOptions): Promise<GithubTracker> {
  const context = createTrackerContext(options);
  const { known } = context;
  const comments = openComments(context);
  const writer = createCommentWriter(context);
  const create = createIssueCreator(context);

  return {
    kind: 'github',
    async list(signal) {
      signal.throwIfAborted();
      const issues = await context.list(signal);
      comments.listed(context.clock.now());
      return withCommentProblems(issues, comments.problemsOf);
    },
    async read(issue, signal) {
      signal.throwIfAborted();
      return readIssue(context, requireIssueId(issue), signal);
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      return comments.since(requireIssueId(issue), since, signal);
    },
    mayDispatch: (issue) => judgeDispatch(issue, context.repositories(), context.policy()),
    write: async (issue, change) => writeIssueChange(context, requireIssueId(issue), change),
    async comment(issue, key, text) {
      await writer.post(requireIssueId(issue), key, text);
      comments.posted(issue);
    },
    async putComment(issue, key, text) {
      await writer.put(requireIssueId(issue), key, text);
      comments.posted(issue);
    },
    create,
    close: async (issue) => closeIssue(context, requireIssueId(issue)),
    move: async (issue, to) => moveIssue(context, requireIssueId(issue), to),
    missingColumns() {
      const [first] = context.boardNotes()?.boards ?? [];
      if (first === undefined) return [];
      const names = first.status.options.map(({ name }) => name);
      return STATUSES.filter((status) => findColumn(status, names, context.columns()) === undefined);
    },
    budget: () => options.client.budget(),
    idOf: known.idOf,
    problems: () => [...known.ignored(), ...describeHiddenItems(context.boardNotes())],
  };
}

function createTrackerContext(options: GithubTrackerOptions): GithubTrackerContext {
  const { client, clock, columns, accounts, fields = FIELDS } = options;
  const { permissions = openPermissions(client, clock) } = options;
  const mutex = createMutex();
  let noticed: BoardNotes | undefined;
  const context: GithubTrackerContext = {
    client,
    clock,
    columns,
    isLegion: (login) => isOneOf(login, accounts),
    fields,
    repositories: options.repositories,
    policy: options.authors,
    boards: options.projects.map((name) => openBoard(client, readProjectName(name), fields, clock)),
    contents: openContents(client, clock),
    known: openKnownIssues(),
    authors: createAuthors(permissions, (login) => isOneOf(login, [...accounts, ...options.authors().also])),
    dependencies: openDependencies(client),
    states: openBlockerStates({ client, clock, columns, statusField: fields.status }),
    labels: openRepositoryLabels(client),
    list: (signal) => mutex(() => listBoardIssues(context, signal), signal),
    setBoardNotes: (notes) => {
      noticed = notes;
    },
    boardNotes: () => noticed,
  };
  return context;
}

function readProjectName(name: string): ProjectName {
  const [, owner, number] = /^([^/\s]+)\/([1-9]\d{0,9})$/.exec(name) ?? [];
  if (owner === undefined || !isGithubNumber(Number(number)))
    throw new LegionError(
      'id.invalid',
      `Project ${JSON.stringify(name)} is not in the form \`owner/number\``,
    );
  return { owner, number: Number(number) };
}

/**
 * Groups hidden items by reason, because an organization refuses to show all of its issues for the
 * same reason.
 */
function describeHiddenItems(noticed: BoardNotes | undefined): readonly string[] {
  const { redacted = 0, refused = [] } = noticed ?? {};
  return [
    ...(redacted === 0
      ? []
      : [`Legion’s account does not have permission to see ${redacted} of the boards’ items`]),
    ...[...Map.groupBy(refused, (reason) => reason)].map(
      ([reason, { length }]) => `${formatCount(length, 'item')} of the boards cannot be read: ${reason}`,
    ),
  ];
}

/**
 * Closes an issue without finishing it. A Done issue is closed as completed, any other as not
 * planned.
 */
async function closeIssue(context: GithubTrackerContext, id: IssueId): Promise<void> {
  const { content, placements } = await requireIssueSnapshot(context, id);
  if (content.answer.closedAt !== null) return;
  const stateReason = isDone(placements[0].option, context.columns()) ? 'COMPLETED' : 'NOT_PLANNED';
  const steps = [createStep('closeIssue', { issueId: content.answer.id, stateReason })];
  await makeChanges(context.client, 'LegionCloses', steps);
}

/** Carries out a person's move. Unlike Legion's own moves, it reopens a closed issue. */
async function moveIssue(context: GithubTrackerContext, id: IssueId, to: Status): Promise<void> {
  const snapshot = await requireIssueSnapshot(context, id);
  const { id: issueId, closedAt } = snapshot.content.answer;
  const isClosed = closedAt !== null;
  const steps = [...buildColumnSteps(to, snapshot, context.columns())];
  if (to === 'Done' && !isClosed) steps.push(createCloseStep(issueId));
  if (to !== 'Done' && isClosed) steps.push(createStep('reopenIssue', { issueId }));
  await makeChanges(context.client, 'LegionMoves', steps);
}

/** Reads the current state of one issue. */
async function readIssue(
  context: GithubTrackerContext,
  id: IssueId,
  signal: AbortSignal,
): Promise<Issue | undefined> {
  try {
    const snapshot = await readIssueSnapshot(context, id, signal);
    if (snapshot === undefined) return undefined;
    const { content, placements } = snapshot;
    await context.authors.learn([content.answer], signal);
    const blockers = await readIssueBlockers(context, snapshot, signal);
    return describeIssue(context, { id, content, placement: placements[0], blockers });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // If GitHub refuses to show an issue, the list contains the issue in its last known state, with
    // the reason for the refusal.
    return (await context.list(signal)).find((issue) => issue.id === id);
  }
}

async function readIssueBlockers(
  context: GithubTrackerContext,
  { content, placements }: GithubIssueSnapshot,
  signal: AbortSignal,
): Promise<IssueBlockers> {
  const { columns, dependencies, states } = context;
  if (hasEnded(toIssuePosition(content.answer, placements[0]), columns())) return NO_BLOCKERS;
  const native = await dependencies.ask(content, signal);
  const dependencyProblem = dependencies.problemOf(content.answer.id);
  const references = listDistinctReferences([...content.named, ...native]);
  const projects = references.length === 0 ? [] : await readProjectIds(context, signal);
  const { open, unreadable } = await states.ask(references, projects, signal);
  return collectBlockers(references, {
    isOpen: (reference) => open.has(toIssueReferenceKey(reference)),
    unreadable,
    dependencyProblem,
  });
}

export interface DispatchVerdict {
  readonly allowed: boolean;
  readonly why: string;
}

/** Decides by repository and author whether an issue's text may start a worker. */
export function judgeDispatch(
  issue: Issue,
  repositories: readonly string[],
  policy: AuthorPolicy,
): DispatchVerdict {
  const { source, writtenBy } = issue;
  if (source.kind !== 'github') return { allowed: false, why: 'it is not a GitHub issue' };
  const repository = `${source.owner}/${source.repo}`;
  if (!repositories.some((each) => isSameRepository(each, repository)))
    return {
      allowed: false,
      why: `${repository} is not one of this legion’s repositories; add it to \`repos\` in legion.yaml`,
    };
  if (policy.trust === 'anyone')
    return { allowed: true, why: '`authors.trust` allows anyone’s issue to start a worker' };
  if (writtenBy?.mayWrite === true)
    return { allowed: true, why: `${writtenBy.name} has write access to ${repository}` };
  const name = writtenBy?.name ?? 'its author';
  const next = `copy it into an issue of your own, or add ${name} to \`authors.also\` in legion.yaml`;
  return {
    allowed: false,
    why: `${name} does not have write access to ${repository}: read the issue, then ${next}`,
  };
}
