/** The tracker on a team of Linear. */
import type { IssueId } from '../../core/model/ids.ts';
import { STATUSES, type Status } from '../../core/model/status.ts';
import type { Issue } from '../../domain/issue.ts';
import { type BoardReading, openBoard } from '../../integrations/linear/tracker/board.ts';
import { createMutex } from '../../lib/async/mutex.ts';
import { isRefusal } from '../../lib/read-isolated.ts';
import type { Viewer } from '../../linear/client.ts';
import { ownId } from '../../linear/own-id.ts';
import type { Link, Tracker } from '../../ports/tracker.ts';
import { acceptedId } from '../accepted-id.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import { withCommentProblems } from '../malformed-comments.ts';
import { canceledState, hasEnded, stateFor, statusOf } from './column.ts';
import { comment } from './comment.ts';
import { openComments } from './comments.ts';
import { create } from './create.ts';
import { openKnownIssues } from './known-issues.ts';
import { mutate, unlessThere } from './made-once.ts';
import { postedIssues } from './posted/posted-issues.ts';
import { aboutIn, type Room } from './room.ts';
import { requireSight, sight } from './sight.ts';
import { openTeamLabels } from './team-labels.ts';
import { toIssue } from './to-issue.ts';
import { write } from './write.ts';
import { CREATE_ATTACHMENT, updateIssue } from './write-documents.ts';

export interface LinearTrackerOptions extends Pick<Room, 'client' | 'clock' | 'legion' | 'team' | 'columns'> {
  /** The account Legion acts as. */
  readonly viewer: Pick<Viewer, 'id'>;
  readonly authors: () => AuthorPolicy;
}

export interface LinearTracker extends Tracker {
  readonly attach: NonNullable<Tracker['attach']>;
  /** The id of an issue that has been seen, by the UUID or the identifier a webhook names; pure. */
  idOf(tracked: string): IssueId | undefined;
  /** What does not stop the list but a person should know. */
  troubles(): readonly string[];
}

/** Asks nothing: a daemon may start while Linear is away. */
export async function openLinearTracker(options: LinearTrackerOptions): Promise<LinearTracker> {
  const { client, clock, team, legion, columns } = options;
  const room: Room = {
    ...{ client, clock, team, legion, columns, viewer: options.viewer.id, policy: options.authors },
    board: openBoard(client, team, columns, clock),
    known: openKnownIssues(),
    labels: openTeamLabels(client, team),
  };
  const { known, labels } = room;
  const comments = openComments(room);
  const turn = createMutex();

  async function listAll(signal: AbortSignal): Promise<readonly Issue[]> {
    signal.throwIfAborted();
    // In turn, because each goes on from where the one before has come to.
    return turn(async () => {
      const { issues, said } = await list(room, signal);
      comments.listed(said);
      return withCommentProblems(issues, comments.problemsOf);
    }, signal);
  }

  return {
    kind: 'linear',
    list: listAll,
    async read(issue, signal) {
      signal.throwIfAborted();
      const id = acceptedId(issue);
      try {
        return await read(room, id, signal);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // A list shows an issue that Linear refuses without what it refers to, with the reason.
        return (await listAll(signal)).find((each) => each.id === id);
      }
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      return comments.since(acceptedId(issue), since, signal);
    },
    mayDispatch: (issue) => mayDispatch(issue, options.authors()),
    write: async (issue, change) => write(room, acceptedId(issue), change),
    async comment(issue, key, text) {
      await comment(room, acceptedId(issue), key, text);
      comments.posted(issue);
    },
    create: (key, issue) => create(room, key, issue),
    close: async (issue) => close(room, acceptedId(issue)),
    move: async (issue, to) => move(room, acceptedId(issue), to),
    attach: async (issue, link) => attach(room, acceptedId(issue), link),
    missingColumns() {
      const states = room.board.states();
      if (states === undefined) return [];
      return STATUSES.filter((status) => !states.some((state) => statusOf(state, columns()) === status));
    },
    budget: () => client.budget(),
    posted: (data) => postedIssues(data, columns()),
    idOf: known.idOf,
    troubles: () => [
      ...known.setAside(),
      ...room.board.missing().map((reason) => `an issue of the team cannot be read: ${reason}`),
      ...labels.troubles(),
    ],
  };
}

/** Reading one issue as it is now. */
async function read(room: Room, id: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
  const seen = await sight(room, id, signal);
  return seen === undefined ? undefined : toIssue(seen.answer, aboutIn(room, seen.team));
}

/** Ending an issue without finishing it; one that is Done, or has ended otherwise, stays as it is. */
async function close(room: Room, id: IssueId): Promise<void> {
  const { answer, states } = await requireSight(room, id);
  if (hasEnded(answer.state, room.columns())) return;
  const input = { stateId: canceledState(states).id };
  await mutate(room.client, updateIssue('LegionCloses'), { id: answer.id, input });
}

/** A person's move, carried out for them: unlike Legion's own it opens a closed issue. */
async function move(room: Room, id: IssueId, to: Status): Promise<void> {
  const { answer, states } = await requireSight(room, id);
  const names = room.columns();
  const state = stateFor(to, states, names);
  if (statusOf(answer.state, names) === to) return;
  await mutate(room.client, updateIssue('LegionMoves'), { id: answer.id, input: { stateId: state.id } });
}

interface Verdict {
  readonly allowed: boolean;
  readonly why: string;
}

/** Whether an issue's text may start a worker: who wrote it decides. */
function mayDispatch({ source, writtenBy }: Issue, policy: AuthorPolicy): Verdict {
  if (source.kind !== 'linear') return { allowed: false, why: 'it is no issue of Linear' };
  if (policy.trust === 'anyone')
    return { allowed: true, why: 'by `authors.trust`, anyone’s issue may start a worker' };
  const name = writtenBy?.name ?? 'its author';
  if (writtenBy?.mayWrite === true) return { allowed: true, why: `${name} is a member of the workspace` };
  const next = `take it over in an issue of your own, or add ${name} to \`authors.also\` in legion.yaml`;
  return { allowed: false, why: `${name} is no member of the workspace: read it, then ${next}` };
}

/** Showing an address at an issue, once. */
async function attach(room: Room, issue: IssueId, { url, title }: Link): Promise<void> {
  const { client, legion } = room;
  const id = ownId(legion, 'attachment', issue, url);
  const find = async () => {
    const { answer } = await requireSight(room, issue);
    const isThere = answer.attachments.nodes.some((each) => each.id === id || each.url === url);
    return { isThere, issueId: answer.id };
  };
  const { isThere, issueId } = await find();
  if (isThere) return;
  await unlessThere(
    () => mutate(client, CREATE_ATTACHMENT, { input: { id, issueId, url, title } }),
    async () => (await find()).isThere,
  );
}

/** Listing the board: every issue of the team that is neither archived nor in the trash. */
interface Listed {
  readonly issues: readonly Issue[];
  readonly said: BoardReading['said'];
}

async function list(room: Room, signal: AbortSignal): Promise<Listed> {
  const { team, issues, said } = await room.board.read(signal);
  room.known.replace([...issues.values()]);
  const about = aboutIn(room, team);
  const found = [...issues.values()]
    .filter(({ id }) => room.known.idOf(id) !== undefined)
    .map((answer) => toIssue(answer, about));
  return { issues: found.toSorted(byAge), said };
}

/** The oldest first, whoever lists them. */
function byAge(a: Issue, b: Issue): number {
  return a.createdAt - b.createdAt || a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}
