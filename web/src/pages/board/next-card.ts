/** Which card comes after another in a direction. Pure. */
import type { Card } from '../../../../src/protocol/dashboard.ts';
import type { Column } from './columns.ts';

export type Step = 'up' | 'down' | 'left' | 'right';

export interface Target {
  readonly column: string;
  readonly index: number;
  readonly card: Card;
}

/** The first card of all where none is given; undefined at an edge. Columns without cards are stepped over. */
export function nextCard(
  columns: readonly Column[],
  from: string | undefined,
  step: Step,
): Target | undefined {
  const full = columns.filter(({ cards }) => cards.length > 0);
  const place = from === undefined ? undefined : placeOf(full, from);
  if (place === undefined) return targetAt(full[0], 0);
  const { column, index } = place;
  if (step === 'up' || step === 'down') return targetAt(full[column], index + (step === 'down' ? 1 : -1));
  const next = column + (step === 'right' ? 1 : -1);
  const beside = full[next];
  return beside === undefined || next < 0
    ? undefined
    : targetAt(beside, Math.min(index, beside.cards.length - 1));
}

function placeOf(columns: readonly Column[], id: string): { column: number; index: number } | undefined {
  for (const [column, { cards }] of columns.entries()) {
    const index = cards.findIndex((card) => card.id === id);
    if (index >= 0) return { column, index };
  }
  return undefined;
}

function targetAt(column: Column | undefined, index: number): Target | undefined {
  const card = index < 0 ? undefined : column?.cards[index];
  return column === undefined || card === undefined ? undefined : { column: column.key, index, card };
}
