/** The board's cards in its columns, each column in the order in which a person wants to see it. Pure. */

import { isFinished, STATUSES, type Status } from '../../../../src/core/model/status.ts';
import { isLive } from '../../../../src/domain/lifecycle.ts';
import type { Card, SessionView } from '../../../../src/protocol/dashboard.ts';

export interface Column {
  /** Different for each column, and the same from one look to the next. */
  readonly key: string;
  /** The board's own name. */
  readonly name: string;
  /** Undefined where nothing can be moved to: a column Legion does not know, or where closed issues end up. */
  readonly status: Status | undefined;
  readonly cards: readonly Card[];
}

type Statuses = SessionView['statuses'];

/** All columns of the pipeline, also those without cards; then the others that have some. */
export function columnsOf(cards: readonly Card[], statuses: Statuses): readonly Column[] {
  const byKey = Map.groupBy(cards, keyOf);
  const known = pipeline(statuses).map(({ status, name }) => ({
    key: status,
    name,
    status,
    cards: inOrder(byKey.get(status) ?? [], status),
  }));
  const strange = [...byKey].flatMap(([key, members]): Column[] => {
    const [first] = members;
    if (first === undefined || isPipeline(first.status)) return [];
    const name = first.status === 'terminal' ? 'Closed' : first.column;
    return [{ key, name, status: undefined, cards: inOrder(members, first.status) }];
  });
  return [...known, ...strange.toSorted((a, b) => (a.key < b.key ? -1 : 1))];
}

/** Where the session names none, as before its board was read, the statuses' own names do. */
function pipeline(statuses: Statuses): readonly { readonly status: Status; readonly name: string }[] {
  const named = statuses.flatMap(({ status, column }) =>
    isPipeline(status) ? [{ status, name: column }] : [],
  );
  return named.length > 0 ? named : STATUSES.map((status) => ({ status, name: status }));
}

function keyOf({ status, column }: Card): string {
  return status === 'unknown' ? `unknown:${column}` : status;
}

function isPipeline(status: string): status is Status {
  return STATUSES.some((known) => known === status);
}

/** What needs a person first, then what is being worked on, then by priority and age; of what is over, the latest first. */
function inOrder(cards: readonly Card[], status: string): readonly Card[] {
  const isOver = isFinished(status);
  return cards.toSorted(
    (a, b) =>
      Number(b.needsYou) - Number(a.needsYou) ||
      (isOver
        ? (b.since ?? 0) - (a.since ?? 0)
        : Number(isWorked(b)) - Number(isWorked(a)) ||
          priorityRank(a) - priorityRank(b) ||
          (a.since ?? 0) - (b.since ?? 0)) ||
      a.id.localeCompare(b.id, 'en', { numeric: true }),
  );
}

export function isWorked({ worker }: Card): boolean {
  return worker !== null && isLive(worker.state);
}

/** An issue without a priority comes after those that have one. */
function priorityRank({ priority }: Card): number {
  return priority === 0 ? 5 : priority;
}
