/**
 * Reads one issue in its current state, with the states of its team. Every write starts with such a
 * read.
 */

import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';
import type { ReadIssueQuery, StatePartsFragment, TeamPartsFragment } from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import { isOnBoard } from './changes.ts';
import type { LinearTrackerContext } from './context.ts';
import { OF_ONE, READ_ISSUE } from './documents.ts';
import { readWholeIssues } from './whole-issues.ts';

export interface LinearIssueSnapshot {
  readonly answer: LinearIssue;
  readonly team: TeamPartsFragment;
  readonly states: readonly StatePartsFragment[];
}

/** Linear's identifier format: team key and number. */
const IDENTIFIER = /^[A-Za-z0-9]+-([1-9]\d{0,8})$/;

/**
 * Returns the filter that finds an issue by its id, or undefined if the id is not a Linear
 * identifier. Filters by team and number, because a filter by identifier would also find an issue
 * that moved to another team.
 */
export function buildIssueFilter({ team }: LinearTrackerContext, id: IssueId): object | undefined {
  const [, number] = IDENTIFIER.exec(id) ?? [];
  return number === undefined ? undefined : { team: { id: { eq: team } }, number: { eq: Number(number) } };
}

/** Returns undefined if the issue is not on the board. */
export async function readIssueSnapshot(
  context: LinearTrackerContext,
  id: IssueId,
  signal: AbortSignal,
): Promise<LinearIssueSnapshot | undefined> {
  const { client, team } = context;
  const filter = buildIssueFilter(context, id);
  if (filter === undefined) return undefined;
  const response = await client.query<ReadIssueQuery>(READ_ISSUE, { team, filter }, { signal });
  const [answer] = await readWholeIssues(client, response.issues.nodes, OF_ONE, signal);
  if (answer === undefined || answer.identifier !== id || !isOnBoard(answer, team)) return undefined;
  return { answer, team: response.team, states: response.team.states.nodes };
}

export async function requireIssueSnapshot(
  context: LinearTrackerContext,
  id: IssueId,
): Promise<LinearIssueSnapshot> {
  const snapshot = await readIssueSnapshot(context, id, NEVER_ABORTED);
  if (snapshot === undefined) throw createUnknownIssueFault(id);
  return snapshot;
}
