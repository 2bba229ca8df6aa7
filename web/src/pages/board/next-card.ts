/** Finds the next card in a direction. Pure. */
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import type { BoardColumn } from './columns.ts';

export type CursorStep = 'up' | 'down' | 'left' | 'right';

export interface CursorTarget {
  readonly column: string;
  readonly index: number;
  readonly card: DashboardCard;
}

/**
 * Returns the first card of the board if `from` is undefined or unknown. Returns undefined at an
 * edge. Skips empty columns.
 */
export function findNextCard(
  columns: readonly BoardColumn[],
  from: string | undefined,
  step: CursorStep,
): CursorTarget | undefined {
  const full = columns.filter(({ cards }) => cards.length > 0);
  const position = from === undefined ? undefined : findPosition(full, from);
  if (position === undefined) return toTarget(full[0], 0);
  const { column, index } = position;
  if (step === 'up' || step === 'down') return toTarget(full[column], index + (step === 'down' ? 1 : -1));
  const next = column + (step === 'right' ? 1 : -1);
  const neighbour = full[next];
  return neighbour === undefined || next < 0
    ? undefined
    : toTarget(neighbour, Math.min(index, neighbour.cards.length - 1));
}

function findPosition(
  columns: readonly BoardColumn[],
  id: string,
): { column: number; index: number } | undefined {
  for (const [column, { cards }] of columns.entries()) {
    const index = cards.findIndex((card) => card.id === id);
    if (index >= 0) return { column, index };
  }
  return undefined;
}

function toTarget(column: BoardColumn | undefined, index: number): CursorTarget | undefined {
  const card = index < 0 ? undefined : column?.cards[index];
  return column === undefined || card === undefined ? undefined : { column: column.key, index, card };
}
