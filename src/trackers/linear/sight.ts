/** One issue as it is now, with the states of its team; every write begins with it. */

import type { IssueId } from '../../core/model/ids.ts';
import type {
  ReadIssueQuery,
  StatePartsFragment,
  TeamPartsFragment,
} from '../../integrations/linear/generated/tracker.ts';
import { isOnBoard } from '../../integrations/linear/tracker/changes.ts';
import { OF_ONE, READ_ISSUE } from '../../integrations/linear/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { unknownIssue } from '../accepted-id.ts';
import type { LinearIssue } from './linear-issue.ts';
import type { Room } from './room.ts';
import { wholeIssues } from './whole-issues.ts';

export interface Sighting {
  readonly answer: LinearIssue;
  readonly team: TeamPartsFragment;
  readonly states: readonly StatePartsFragment[];
}

/** How Linear names an issue: the key of its team and a number. */
const IDENTIFIER = /^[A-Za-z0-9]+-([1-9]\d{0,8})$/;

/**
 * The filter that finds an issue by its id; undefined where no issue of Linear could have it. Asked for by its number on this board,
 * because by its identifier one would be found that has moved to another team.
 */
export function issueNamed({ team }: Room, id: IssueId): object | undefined {
  const [, number] = IDENTIFIER.exec(id) ?? [];
  return number === undefined ? undefined : { team: { id: { eq: team } }, number: { eq: Number(number) } };
}

/** Undefined where it is not on the board. */
export async function sight(room: Room, id: IssueId, signal: AbortSignal): Promise<Sighting | undefined> {
  const { client, team } = room;
  const filter = issueNamed(room, id);
  if (filter === undefined) return undefined;
  const found = await client.query<ReadIssueQuery>(READ_ISSUE, { team, filter }, { signal });
  const [answer] = await wholeIssues(client, found.issues.nodes, OF_ONE, signal);
  if (answer === undefined || answer.identifier !== id || !isOnBoard(answer, team)) return undefined;
  return { answer, team: found.team, states: found.team.states.nodes };
}

export async function requireSight(room: Room, id: IssueId): Promise<Sighting> {
  const seen = await sight(room, id, NEVER_ABORTED);
  if (seen === undefined) throw unknownIssue(id);
  return seen;
}
