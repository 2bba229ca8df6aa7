/** The workers as rows: with what the board knows of them, narrowed down and in order. Pure. */
import {
  hasEnded,
  isLive,
  isWaiting,
  LIFECYCLE_STATES,
  type LifecycleState,
} from '../../../../../src/domain/lifecycle.ts';
import { MODES } from '../../../../../src/domain/mode.ts';
import type { Card } from '../../../../../src/protocol/dashboard.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';

export interface Row {
  readonly worker: WorkerView;
  /** Of its issue, where the board has it. */
  readonly title: string | undefined;
}

export function rowsOf(workers: readonly WorkerView[], cards: readonly Card[]): readonly Row[] {
  const titles = new Map(cards.map(({ id, title }) => [id, title]));
  return workers.map((worker) => ({ worker, title: titles.get(worker.issue) }));
}

export const SHOWS = ['current', 'live', 'waiting', 'failed', 'all'] as const;
export type Show = (typeof SHOWS)[number];

export function isShown(state: LifecycleState, show: Show): boolean {
  const isFailed = state === 'crashed' || state === 'paused';
  if (show === 'all') return true;
  if (show === 'live') return isLive(state);
  if (show === 'waiting') return isWaiting(state);
  return isFailed || (show === 'current' && (isLive(state) || isWaiting(state)));
}

export function fits({ worker, title }: Row, show: Show, find: string): boolean {
  const isLeaving = worker.stopping !== undefined && show === 'current';
  if (!isLeaving && !isShown(worker.status, show)) return false;
  const words = find.toLowerCase().split(/\s+/);
  const text = [worker.id, worker.issue, worker.host, worker.agent, worker.model, title]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const ORDERS = ['issue', 'mode', 'agent', 'state', 'since', 'attempt', 'crashes', 'cost'] as const;
export type Order = (typeof ORDERS)[number];

export interface Sorting {
  readonly by: Order;
  readonly isDown: boolean;
}

/** Those at work first, and of them the longest. */
const USUAL: Sorting = { by: 'state', isDown: false };

/** `-since` in the address means the other way round. */
export function readSorting(fields: URLSearchParams): Sorting {
  const text = fields.get('sort') ?? '';
  const by = ORDERS.find((order) => order === text.replace(/^-/, ''));
  return by === undefined ? USUAL : { by, isDown: text.startsWith('-') };
}

export function sortField({ by, isDown }: Sorting): string | null {
  return by === USUAL.by && isDown === USUAL.isDown ? null : `${isDown ? '-' : ''}${by}`;
}

const NATURAL = new Intl.Collator('en', { numeric: true });

const COMPARE: Readonly<Record<Order, (a: Row, b: Row) => number>> = {
  issue: (a, b) => NATURAL.compare(a.worker.issue, b.worker.issue),
  mode: (a, b) => MODES.indexOf(a.worker.mode) - MODES.indexOf(b.worker.mode),
  agent: (a, b) => NATURAL.compare(a.worker.agent ?? '', b.worker.agent ?? ''),
  // Of those that have ended the last one is the one somebody looks for.
  state: (a, b) =>
    rank(a.worker.status) - rank(b.worker.status) ||
    (hasEnded(a.worker.status) ? b.worker.since - a.worker.since : 0),
  since: (a, b) => a.worker.since - b.worker.since,
  attempt: (a, b) => a.worker.attempt - b.worker.attempt,
  crashes: (a, b) => a.worker.crashes - b.worker.crashes,
  cost: (a, b) => a.worker.spentUsd - b.worker.spentUsd,
};

export function sorted(rows: readonly Row[], { by, isDown }: Sorting): readonly Row[] {
  const compare = COMPARE[by];
  return rows.toSorted(
    (a, b) =>
      (isDown ? -1 : 1) * compare(a, b) ||
      a.worker.since - b.worker.since ||
      NATURAL.compare(a.worker.id, b.worker.id),
  );
}

/** Failed ones first of those that do not work: they may need somebody. */
function rank(state: LifecycleState): number {
  if (state === 'paused') return 3;
  if (state === 'crashed') return 4;
  if (isLive(state)) return state === 'executing' ? 0 : 1;
  return isWaiting(state) ? 2 : 5 + LIFECYCLE_STATES.indexOf(state);
}
