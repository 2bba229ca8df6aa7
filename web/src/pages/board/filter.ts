/** Which cards are shown. The filter lives in the address, so that it can be kept and handed on. Pure. */
import { MODES, type Mode } from '../../../../src/domain/mode.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { isWorked } from './columns.ts';

export const ONLY = ['needs-me', 'working', 'blocked'] as const;
export type Only = (typeof ONLY)[number];

export const ONLY_WORDS: Readonly<Record<Only, string>> = {
  'needs-me': 'Needs me',
  working: 'Working',
  blocked: 'Blocked',
};

export interface Filter {
  /** Every word of it must be found. */
  readonly words: readonly string[];
  readonly label: string | undefined;
  readonly mode: Mode | undefined;
  readonly only: Only | undefined;
}

export function readFilter(fields: URLSearchParams): Filter {
  return {
    words: (fields.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    label: fields.get('label') ?? undefined,
    mode: MODES.find((mode) => mode === fields.get('mode')),
    only: ONLY.find((only) => only === fields.get('only')),
  };
}

export function isFiltering({ words, label, mode, only }: Filter): boolean {
  return words.length > 0 || label !== undefined || mode !== undefined || only !== undefined;
}

export function fits(card: Card, { words, label, mode, only }: Filter): boolean {
  if (label !== undefined && !card.labels.includes(label)) return false;
  if (mode !== undefined && card.worker?.mode !== mode) return false;
  if (only !== undefined && !ONLY_TESTS[only](card)) return false;
  if (words.length === 0) return true;
  const text = textOf(card);
  return words.every((word) => text.includes(word));
}

export function countOnly(cards: readonly Card[]): Readonly<Record<Only, number>> {
  const counts = { 'needs-me': 0, working: 0, blocked: 0 };
  for (const card of cards) for (const only of ONLY) if (ONLY_TESTS[only](card)) counts[only] += 1;
  return counts;
}

/** Every label of the board, the most used first. */
export function labelsOf(
  cards: readonly Card[],
): readonly { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { labels } of cards) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}

const ONLY_TESTS: Readonly<Record<Only, (card: Card) => boolean>> = {
  'needs-me': ({ needsYou }) => needsYou,
  working: isWorked,
  blocked: ({ blockedBy }) => blockedBy.length > 0,
};

/** What a person can see on a card can be searched for. */
function textOf({ id, title, labels, worker, waits, pullRequest }: Card): string {
  const number = pullRequest === null ? '' : `#${pullRequest.number}`;
  return [id, title, ...labels, worker?.mode, worker?.agent, waits?.says, number].join(' ').toLowerCase();
}
