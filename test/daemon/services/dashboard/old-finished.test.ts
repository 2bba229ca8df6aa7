import { expect, test } from 'vitest';
import { omitOldFinished } from '../../../../src/daemon/services/dashboard/board.ts';
import type { DashboardBoard, DashboardCard } from '../../../../src/protocol/dashboard.ts';

const NOW = 1_700_000_000_000;
const DAY_MS = 24 * 60 * 60_000;

function cardOf(
  id: string,
  status: DashboardCard['status'],
  days: number | null,
  more: Partial<DashboardCard> = {},
): DashboardCard {
  return {
    id,
    title: id,
    status,
    column: status,
    labels: [],
    priority: 0,
    since: days === null ? null : NOW - days * DAY_MS,
    blockedBy: [],
    worker: null,
    waits: null,
    needsYou: false,
    pullRequest: null,
    spentUsd: 0,
    ...more,
  };
}

function boardOf(cards: readonly DashboardCard[]): DashboardBoard {
  return { at: NOW, version: 1, isPresent: true, readAt: NOW, cards: [...cards], omitted: 0 };
}

test('leaves out issues that were finished more than a week ago, and counts them', () => {
  const cards = [
    cardOf('A-1', 'Done', 8),
    cardOf('A-2', 'terminal', 30),
    cardOf('A-3', 'Done', 6),
    cardOf('A-4', 'Testing', 300),
    cardOf('A-5', 'Done', null),
  ];
  const { cards: shown, omitted } = omitOldFinished(boardOf(cards));
  expect(shown.map(({ id }) => id)).toEqual(['A-3', 'A-4', 'A-5']);
  expect(omitted).toBe(2);
});

test('keeps an old finished issue that needs a person or has a live worker', () => {
  const worker: DashboardCard['worker'] = {
    id: 'a-2-implement',
    mode: 'implement',
    state: 'executing',
    attempt: 1,
    since: NOW,
    last: null,
  };
  const cards = [cardOf('A-1', 'Done', 8, { needsYou: true }), cardOf('A-2', 'Done', 8, { worker })];
  expect(omitOldFinished(boardOf(cards))).toMatchObject({ cards, omitted: 0 });
});
