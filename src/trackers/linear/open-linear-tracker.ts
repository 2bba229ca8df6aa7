/** The tracker on a team of Linear. */

import type { Clock } from '../../domain/clock.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import { type ColumnNames, STATUSES } from '../../domain/status.ts';
import { createMutex } from '../../lib/async/mutex.ts';
import { isRefusal } from '../../lib/read-isolated.ts';
import type { LinearClient, Viewer } from '../../linear/client.ts';
import { acceptedId } from '../accepted-id.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import { withCommentProblems } from '../malformed-comments.ts';
import type { Tracker } from '../tracker.ts';
import { attach } from './attach.ts';
import { openBoard } from './board.ts';
import { close } from './close.ts';
import { statusOf } from './column.ts';
import { comment } from './comment.ts';
import { openComments } from './comments.ts';
import { create } from './create.ts';
import { openKnownIssues } from './known-issues.ts';
import { list } from './list.ts';
import { mayDispatch } from './may-dispatch.ts';
import { move } from './move.ts';
import { postedIssues } from './posted/posted-issues.ts';
import { read } from './read.ts';
import type { Room } from './room.ts';
import { openTeamLabels } from './team-labels.ts';
import { write } from './write.ts';

export interface LinearTrackerOptions {
  readonly client: LinearClient;
  /** The account Legion acts as. */
  readonly viewer: Pick<Viewer, 'id'>;
  /** The id of the legion, so that two of them never make the same. */
  readonly legion: string;
  /** UUID of the team whose issues are the board. */
  readonly team: string;
  readonly columns: () => ColumnNames;
  readonly authors: () => AuthorPolicy;
  readonly clock: Pick<Clock, 'now'>;
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
