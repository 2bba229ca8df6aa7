/**
 * Decides which cards are shown. The filter is part of the address, so that it can be bookmarked
 * and shared. Pure.
 */
import { MODES, type Mode } from '../../../../src/core/model/mode.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { isWorked } from './columns.ts';

export const ONLY = ['needs-me', 'working', 'blocked'] as const;
export type CardGroup = (typeof ONLY)[number];

export const CARD_GROUP_LABELS: Readonly<Record<CardGroup, string>> = {
  'needs-me': 'Needs me',
  working: 'Working',
  blocked: 'Blocked',
};

export interface BoardFilter {
  /** All of these words must match. */
  readonly words: readonly string[];
  readonly label: string | undefined;
  readonly mode: Mode | undefined;
  readonly only: CardGroup | undefined;
}

export function readFilter(fields: URLSearchParams): BoardFilter {
  return {
    words: (fields.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    label: fields.get('label') ?? undefined,
    mode: MODES.find((mode) => mode === fields.get('mode')),
    only: ONLY.find((only) => only === fields.get('only')),
  };
}

export function isFiltering({ words, label, mode, only }: BoardFilter): boolean {
  return words.length > 0 || label !== undefined || mode !== undefined || only !== undefined;
}

export function matchCard(card: DashboardCard, { words, label, mode, only }: BoardFilter): boolean {
  if (label !== undefined && !card.labels.includes(label)) return false;
  if (mode !== undefined && card.worker?.mode !== mode) return false;
  if (only !== undefined && !ONLY_TESTS[only](card)) return false;
  if (words.length === 0) return true;
  const text = collectSearchText(card);
  return words.every((word) => text.includes(word));
}

export function countOnly(cards: readonly DashboardCard[]): Readonly<Record<CardGroup, number>> {
  const counts = { 'needs-me': 0, working: 0, blocked: 0 };
  for (const card of cards) for (const only of ONLY) if (ONLY_TESTS[only](card)) counts[only] += 1;
  return counts;
}

/** Returns all labels on the board, most used first. */
export function countLabels(
  cards: readonly DashboardCard[],
): readonly { readonly label: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { labels } of cards) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}

const ONLY_TESTS: Readonly<Record<CardGroup, (card: DashboardCard) => boolean>> = {
  'needs-me': ({ needsYou }) => needsYou,
  working: isWorked,
  blocked: ({ blockedBy }) => blockedBy.length > 0,
};

/** Returns the searchable text: everything visible on a card. */
function collectSearchText({ id, title, labels, worker, waits, pullRequest }: DashboardCard): string {
  const number = pullRequest === null ? '' : `#${pullRequest.number}`;
  return [id, title, ...labels, worker?.mode, worker?.agent, waits?.says, number].join(' ').toLowerCase();
}
