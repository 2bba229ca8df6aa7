/** Opens the tracker for a Linear team. */
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import { filterLabelChange, type LabelChange } from '../../../core/model/label.ts';
import { STATUSES, type Status } from '../../../core/model/status.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { isRefusal } from '../../../lib/read-isolated.ts';
import type { IssueChange, IssueLink, Tracker } from '../../../ports/tracker.ts';
import {
  type AuthorPolicy,
  requireIssueId,
  toLabelNames,
  withCommentProblems,
} from '../../tracker-support/issue-input.ts';
import type { LinearViewer } from '../client/client.ts';
import { computeOwnId } from '../client/own-id.ts';
import { type BoardReading, openBoard } from './board.ts';
import { hasEnded, requireCanceledState, requireState, resolveStatus } from './column.ts';
import { createCommentWriter, openComments } from './comments.ts';
import { buildIssueContext, type LinearTrackerContext, openKnownIssues } from './context.ts';
import { createIssueOnce } from './create.ts';
import { buildUpdateIssueDocument, CREATE_ATTACHMENT } from './documents.ts';
import { createUnlessPresent, runMutation } from './idempotent-create.ts';
import { type LinearIssueSnapshot, readIssueSnapshot, requireIssueSnapshot } from './issue-snapshot.ts';
import { parsePostedIssues } from './posted-issues.ts';
import { openTeamLabels } from './team-labels.ts';
import { toIssue } from './to-issue.ts';

export interface LinearTrackerOptions
  extends Pick<LinearTrackerContext, 'client' | 'clock' | 'legion' | 'team' | 'columns'> {
  /** The account Legion acts as. */
  readonly viewer: Pick<LinearViewer, 'id'>;
  readonly authors: () => AuthorPolicy;
}

export interface LinearTracker extends Tracker {
  readonly attach: NonNullable<Tracker['attach']>;
  /** Returns the id of a known issue by the UUID or identifier that a webhook contains. Pure. */
  idOf(tracked: string): IssueId | undefined;
  /** Returns problems that the operator should know about but that do not make the list fail. */
  problems(): readonly string[];
}

/**
 * Opens the tracker without sending a request, so that a daemon can start while Linear is
 * unavailable.
 */
export async function openLinearTracker(options: LinearTrackerOptions): Promise<LinearTracker> {
  const { client, clock, team, legion, columns } = options;
  const context: LinearTrackerContext = {
    client,
    clock,
    team,
    legion,
    columns,
    viewer: options.viewer.id,
    policy: options.authors,
    board: openBoard(client, team, columns, clock),
    known: openKnownIssues(),
    labels: openTeamLabels(client, team),
  };
  const { known, labels } = context;
  const comments = openComments(context);
  const writer = createCommentWriter(context);
  const mutex = createMutex();

  async function listAll(signal: AbortSignal): Promise<readonly Issue[]> {
    signal.throwIfAborted();
    // Runs one list request at a time, because each resumes from the `mark` that the previous one
    // left.
    return mutex(async () => {
      const { issues, newComments } = await listIssues(context, signal);
      comments.listed(newComments);
      return withCommentProblems(issues, comments.problemsOf);
    }, signal);
  }

  return {
    kind: 'linear',
    list: listAll,
    async read(issue, signal) {
      signal.throwIfAborted();
      const id = requireIssueId(issue);
      try {
        return await readIssue(context, id, signal);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // If Linear refuses to return an issue in full, the list contains the issue without the
        // objects it refers to, and with the reason for the refusal.
        return (await listAll(signal)).find((each) => each.id === id);
      }
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      return comments.since(requireIssueId(issue), since, signal);
    },
    mayDispatch: (issue) => judgeDispatch(issue, options.authors()),
    write: async (issue, change) => writeIssueChange(context, requireIssueId(issue), change),
    async comment(issue, key, text) {
      await writer.post(requireIssueId(issue), key, text);
      comments.posted(issue);
    },
    async putComment(issue, key, text) {
      await writer.put(requireIssueId(issue), key, text);
      comments.posted(issue);
    },
    create: (key, issue) => createIssueOnce(context, key, issue),
    close: async (issue) => closeIssue(context, requireIssueId(issue)),
    move: async (issue, to) => moveIssue(context, requireIssueId(issue), to),
    attach: async (issue, link) => addLink(context, requireIssueId(issue), link),
    missingColumns() {
      const states = context.board.states();
      if (states === undefined) return [];
      return STATUSES.filter((status) => !states.some((state) => resolveStatus(state, columns()) === status));
    },
    budget: () => client.budget(),
    posted: (data) => parsePostedIssues(data, columns()),
    idOf: known.idOf,
    problems: () => [
      ...known.ignored(),
      ...context.board.missing().map((reason) => `An issue of the team cannot be read: ${reason}`),
      ...labels.problems(),
    ],
  };
}

/** Reads the current state of one issue. */
async function readIssue(
  context: LinearTrackerContext,
  id: IssueId,
  signal: AbortSignal,
): Promise<Issue | undefined> {
  const snapshot = await readIssueSnapshot(context, id, signal);
  return snapshot === undefined
    ? undefined
    : toIssue(snapshot.answer, buildIssueContext(context, snapshot.team));
}

/**
 * Closes an issue without finishing it. Leaves an issue that has already ended, as Done or
 * otherwise, unchanged.
 */
async function closeIssue(context: LinearTrackerContext, id: IssueId): Promise<void> {
  const { answer, states } = await requireIssueSnapshot(context, id);
  if (hasEnded(answer.state, context.columns())) return;
  const input = { stateId: requireCanceledState(states).id };
  await runMutation(context.client, buildUpdateIssueDocument('LegionCloses'), { id: answer.id, input });
}

/** Carries out a person's move. Unlike Legion's own moves, it reopens a closed issue. */
async function moveIssue(context: LinearTrackerContext, id: IssueId, to: Status): Promise<void> {
  const { answer, states } = await requireIssueSnapshot(context, id);
  const names = context.columns();
  const state = requireState(to, states, names);
  if (resolveStatus(answer.state, names) === to) return;
  await runMutation(context.client, buildUpdateIssueDocument('LegionMoves'), {
    id: answer.id,
    input: { stateId: state.id },
  });
}

interface DispatchVerdict {
  readonly allowed: boolean;
  readonly why: string;
}

/** Decides by the issue's author whether its text may start a worker. */
function judgeDispatch({ source, writtenBy }: Issue, policy: AuthorPolicy): DispatchVerdict {
  if (source.kind !== 'linear') return { allowed: false, why: 'it is not a Linear issue' };
  if (policy.trust === 'anyone')
    return { allowed: true, why: '`authors.trust` allows anyone’s issue to start a worker' };
  const name = writtenBy?.name ?? 'its author';
  if (writtenBy?.mayWrite === true) return { allowed: true, why: `${name} is a member of the workspace` };
  const next = `copy it into an issue of your own, or add ${name} to \`authors.also\` in legion.yaml`;
  return { allowed: false, why: `${name} is not a member of the workspace: read the issue, then ${next}` };
}

/** Attaches a web address to an issue, at most once. */
async function addLink(
  context: LinearTrackerContext,
  issue: IssueId,
  { url, title }: IssueLink,
): Promise<void> {
  const { client, legion } = context;
  const id = computeOwnId(legion, 'attachment', issue, url);
  const find = async () => {
    const { answer } = await requireIssueSnapshot(context, issue);
    const exists = answer.attachments.nodes.some((each) => each.id === id || each.url === url);
    return { exists, issueId: answer.id };
  };
  const { exists, issueId } = await find();
  if (exists) return;
  await createUnlessPresent(
    () => runMutation(client, CREATE_ATTACHMENT, { input: { id, issueId, url, title } }),
    async () => (await find()).exists,
  );
}

/** The issues of the team that are neither archived nor trashed. */
interface BoardListing {
  readonly issues: readonly Issue[];
  readonly newComments: BoardReading['said'];
}

async function listIssues(context: LinearTrackerContext, signal: AbortSignal): Promise<BoardListing> {
  const { team, issues, said: newComments } = await context.board.read(signal);
  context.known.replace([...issues.values()]);
  const issueContext = buildIssueContext(context, team);
  const listed = [...issues.values()]
    .filter(({ id }) => context.known.idOf(id) !== undefined)
    .map((answer) => toIssue(answer, issueContext));
  return { issues: listed.toSorted(compareByAge), newComments };
}

/** Sorts oldest first, in a stable order. */
function compareByAge(a: Issue, b: Issue): number {
  return a.createdAt - b.createdAt || a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}

/** Writes one step's label changes and move. Sends only the differences, all in one request. */
async function writeIssueChange(
  context: LinearTrackerContext,
  id: IssueId,
  { moveTo, labels }: IssueChange,
): Promise<void> {
  const snapshot = await requireIssueSnapshot(context, id);
  // Checked before the label lookup. If the column is missing, the board must stay unchanged, but
  // the lookup may create labels.
  const moved = moveTo === undefined ? {} : buildMoveInput(context, snapshot, moveTo);
  const input = { ...moved, ...(await buildLabelInput(context, snapshot, labels)) };
  if (Object.keys(input).length === 0) return;
  try {
    await runMutation(context.client, buildUpdateIssueDocument('LegionWrites'), {
      id: snapshot.answer.id,
      input,
    });
  } catch (error) {
    // A label may have been deleted and created again with another id.
    context.labels.forget();
    throw error;
  }
}

/**
 * Returns the state change of a move by Legion. Legion may move an issue out of Done, but only a
 * person's move reopens an issue that ended outside the pipeline.
 */
function buildMoveInput(
  { columns }: LinearTrackerContext,
  { answer, states }: LinearIssueSnapshot,
  status: Status,
): { readonly stateId?: string } {
  const names = columns();
  const { id } = requireState(status, states, names);
  const now = resolveStatus(answer.state, names);
  // Skips the write if the current state already means this status, because writing it would reset
  // the time of entry.
  return now === status || now === 'terminal' ? {} : { stateId: id };
}

async function buildLabelInput(
  context: LinearTrackerContext,
  { answer }: LinearIssueSnapshot,
  change: LabelChange,
): Promise<object> {
  const current = answer.labels.nodes;
  const { add, remove } = filterLabelChange(new Set(toLabelNames(current)), change);
  const removed: readonly string[] = remove;
  const removedIds = current.filter(({ name }) => removed.includes(name.toLowerCase())).map(({ id }) => id);
  const addedIds = add.length === 0 ? [] : await context.labels.idsOf(add);
  return {
    ...(addedIds.length === 0 ? {} : { addedLabelIds: addedIds }),
    ...(removedIds.length === 0 ? {} : { removedLabelIds: removedIds }),
  };
}
