/** Filters and sorts the workers for the table, and adds the titles of their issues. Pure. */
import {
  hasEnded,
  isLive,
  isWaiting,
  LIFECYCLE_STATES,
  type LifecycleState,
} from '../../../../../src/core/model/lifecycle.ts';
import { MODES } from '../../../../../src/core/model/mode.ts';
import type { DashboardCard } from '../../../../../src/protocol/dashboard.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';

export interface WorkerRow {
  readonly worker: WorkerView;
  /** Title of the worker's issue, if it is on the board. */
  readonly title: string | undefined;
}

export function buildRows(
  workers: readonly WorkerView[],
  cards: readonly DashboardCard[],
): readonly WorkerRow[] {
  const titles = new Map(cards.map(({ id, title }) => [id, title]));
  return workers.map((worker) => ({ worker, title: titles.get(worker.issue) }));
}

export const SHOWS = ['current', 'live', 'waiting', 'failed', 'all'] as const;
export type WorkerFilter = (typeof SHOWS)[number];

export function isShown(state: LifecycleState, show: WorkerFilter): boolean {
  const isFailed = state === 'crashed' || state === 'paused';
  if (show === 'all') return true;
  if (show === 'live') return isLive(state);
  if (show === 'waiting') return isWaiting(state);
  return isFailed || (show === 'current' && (isLive(state) || isWaiting(state)));
}

export function matchRow({ worker, title }: WorkerRow, show: WorkerFilter, find: string): boolean {
  const isLeaving = worker.stopping !== undefined && show === 'current';
  if (!isLeaving && !isShown(worker.status, show)) return false;
  const words = find.toLowerCase().split(/\s+/);
  const text = [worker.id, worker.issue, worker.host, worker.agent, worker.model, title]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const ORDERS = ['issue', 'mode', 'agent', 'state', 'since', 'attempt', 'crashes', 'cost'] as const;
export type SortColumn = (typeof ORDERS)[number];

export interface WorkerSorting {
  readonly by: SortColumn;
  readonly isDown: boolean;
}

/** Default order: running workers first, starting with the one that has run longest. */
const DEFAULT_SORTING: WorkerSorting = { by: 'state', isDown: false };

/** `-since` in the address means descending order. */
export function readSorting(fields: URLSearchParams): WorkerSorting {
  const text = fields.get('sort') ?? '';
  const by = ORDERS.find((order) => order === text.replace(/^-/, ''));
  return by === undefined ? DEFAULT_SORTING : { by, isDown: text.startsWith('-') };
}

export function sortField({ by, isDown }: WorkerSorting): string | null {
  return by === DEFAULT_SORTING.by && isDown === DEFAULT_SORTING.isDown ? null : `${isDown ? '-' : ''}${by}`;
}

const NATURAL = new Intl.Collator('en', { numeric: true });

const COMPARE: Readonly<Record<SortColumn, (a: WorkerRow, b: WorkerRow) => number>> = {
  issue: (a, b) => NATURAL.compare(a.worker.issue, b.worker.issue),
  mode: (a, b) => MODES.indexOf(a.worker.mode) - MODES.indexOf(b.worker.mode),
  agent: (a, b) => NATURAL.compare(a.worker.agent ?? '', b.worker.agent ?? ''),
  // Sorts ended workers latest first.
  state: (a, b) =>
    getStateRank(a.worker.status) - getStateRank(b.worker.status) ||
    (hasEnded(a.worker.status) ? b.worker.since - a.worker.since : 0),
  since: (a, b) => a.worker.since - b.worker.since,
  attempt: (a, b) => a.worker.attempt - b.worker.attempt,
  crashes: (a, b) => a.worker.crashes - b.worker.crashes,
  cost: (a, b) => a.worker.spentUsd - b.worker.spentUsd,
};

export function sortRows(rows: readonly WorkerRow[], { by, isDown }: WorkerSorting): readonly WorkerRow[] {
  const compare = COMPARE[by];
  return rows.toSorted(
    (a, b) =>
      (isDown ? -1 : 1) * compare(a, b) ||
      a.worker.since - b.worker.since ||
      NATURAL.compare(a.worker.id, b.worker.id),
  );
}

/**
 * Ranks running workers first, then waiting ones, then paused and crashed ones, which may need a
 * person.
 */
function getStateRank(state: LifecycleState): number {
  if (state === 'paused') return 3;
  if (state === 'crashed') return 4;
  if (isLive(state)) return state === 'executing' ? 0 : 1;
  return isWaiting(state) ? 2 : 5 + LIFECYCLE_STATES.indexOf(state);
}
