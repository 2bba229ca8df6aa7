/** Groups the board's cards into columns and sorts each column, most relevant card first. Pure. */

import { isLive } from '../../../../src/core/model/lifecycle.ts';
import { isFinished, STATUSES, type Status } from '../../../../src/core/model/status.ts';
import type { DashboardCard, SessionView } from '../../../../src/protocol/dashboard.ts';

export interface BoardColumn {
  /** Unique per column and stable between refreshes. */
  readonly key: string;
  /** The column's name on the board. */
  readonly name: string;
  /**
   * Undefined if cards cannot be moved here, because the column is unknown to Legion or contains
   * closed issues.
   */
  readonly status: Status | undefined;
  readonly cards: readonly DashboardCard[];
}

type SessionStatuses = SessionView['statuses'];

/** Returns all columns of the pipeline, even empty ones, then all others that have cards. */
export function buildColumns(
  cards: readonly DashboardCard[],
  statuses: SessionStatuses,
): readonly BoardColumn[] {
  const byKey = Map.groupBy(cards, getColumnKey);
  const known = listPipelineColumns(statuses).map(({ status, name }) => ({
    key: status,
    name,
    status,
    cards: sortCards(byKey.get(status) ?? [], status),
  }));
  const others = [...byKey].flatMap(([key, members]): BoardColumn[] => {
    const [first] = members;
    if (first === undefined || isPipeline(first.status)) return [];
    const name = first.status === 'terminal' ? 'Closed' : first.column;
    return [{ key, name, status: undefined, cards: sortCards(members, first.status) }];
  });
  return [...known, ...others.toSorted((a, b) => (a.key < b.key ? -1 : 1))];
}

/**
 * Falls back to the statuses' own names if the session has no column names, which is the case until
 * the daemon has read the board.
 */
function listPipelineColumns(
  statuses: SessionStatuses,
): readonly { readonly status: Status; readonly name: string }[] {
  const named = statuses.flatMap(({ status, column }) =>
    isPipeline(status) ? [{ status, name: column }] : [],
  );
  return named.length > 0 ? named : STATUSES.map((status) => ({ status, name: status }));
}

function getColumnKey({ status, column }: DashboardCard): string {
  return status === 'unknown' ? `unknown:${column}` : status;
}

function isPipeline(status: string): status is Status {
  return STATUSES.some((known) => known === status);
}

/**
 * Sorts cards that need a person first, then cards with a running worker, then the others by
 * priority and age. Sorts finished issues latest first.
 */
function sortCards(cards: readonly DashboardCard[], status: string): readonly DashboardCard[] {
  const isOver = isFinished(status);
  return cards.toSorted(
    (a, b) =>
      Number(b.needsYou) - Number(a.needsYou) ||
      (isOver
        ? (b.since ?? 0) - (a.since ?? 0)
        : Number(isWorked(b)) - Number(isWorked(a)) ||
          getPriorityRank(a) - getPriorityRank(b) ||
          (a.since ?? 0) - (b.since ?? 0)) ||
      a.id.localeCompare(b.id, 'en', { numeric: true }),
  );
}

export function isWorked({ worker }: DashboardCard): boolean {
  return worker !== null && isLive(worker.state);
}

/** Issues without a priority come last. */
function getPriorityRank({ priority }: DashboardCard): number {
  return priority === 0 ? 5 : priority;
}
