import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { WatchScene } from '../../../src/cli/commands/daemon/watch/layout.ts';
import { renderScene } from '../../../src/cli/commands/daemon/watch/layout.ts';
import { renderScreenLine } from '../../../src/cli/present/table.ts';
import { assertProperty } from '../../support/property.ts';
import { DONE, HEALTH, INBOX, ISSUE, WORKER } from '../support/answers.ts';

const NOW = 62_000;

function sceneWith(issues: number, inbox: number, events: number, title = 'Sell tea'): WatchScene {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  return {
    snapshot: {
      health: HEALTH,
      issues: many(issues, (index) => ({ ...ISSUE, id: `SHOP-${index + 1}`, title })),
      workers: [WORKER],
      inbox: many(inbox, () => INBOX),
    },
    events: many(events, (seq) => ({ seq, at: NOW, type: 'decision.made', issue: 'SHOP-1', action: 'skip' })),
    away: undefined,
  };
}

function screen(scene: WatchScene, columns: number, rows: number): string[] {
  return renderScene(scene, { columns, rows }, NOW).map((line) => renderScreenLine(line, columns));
}

test('shows issues by status, their workers, what waits for a person, and the last events', () => {
  const { snapshot: picture, ...rest } = sceneWith(1, 1, 1);
  const issues = [
    { ...ISSUE, title: 'Sell tea' },
    DONE,
    { ...ISSUE, id: 'SHOP-3', labels: ['needs-approval'] },
  ];
  const scene: WatchScene = { ...rest, snapshot: picture && { ...picture, issues } };
  const lines = screen(scene, 80, 14).map((line) => line.trimEnd());
  expect(lines.slice(0, 6)).toEqual([
    'shop · 1 waiting for you · 1 of 4 workers · 3 issues · up 1m',
    '',
    'In Progress 2',
    '  SHOP-1  Sell tea                          implement #2 executing 59s',
    '  SHOP-3  Sell ·[2Jtea                      waiting for approval',
    'Done 1',
  ]);
  expect(lines.slice(-5, -3)).toEqual([
    'Waiting for you',
    '  SHOP-1 question  Sell tea  legion answer SHOP-1 "…"  59s',
  ]);
  expect(lines.at(-2)).toMatch(/^ {2}\d\d:\d\d:\d\d {2}SHOP-1 {2}decision made {2}skip$/);
  expect(lines.at(-1)).toContain('q quits');
});

test('shows how long a worker has been in its state, and whether it is stopping', () => {
  const { snapshot: picture, ...rest } = sceneWith(2, 0, 0);
  const waiting = { ...WORKER, status: 'waiting-user', since: NOW - 12_000 } as const;
  const stopping = { since: NOW - 5_000, graceEndsAt: NOW + 25_000 };
  const stopped = {
    ...waiting,
    issue: 'SHOP-2',
    status: 'stopped',
    since: stopping.since,
    stopping,
  } as const;
  const workers = { ...HEALTH.workers, stopping: 1 };
  const changed = { health: { ...HEALTH, workers }, workers: [waiting, stopped] };
  const lines = screen({ ...rest, snapshot: picture && { ...picture, ...changed } }, 120, 14);
  expect(lines[0]).toContain('1 of 4 workers, 1 stopping');
  expect(lines[3]).toContain('implement #2 waiting-user 12s');
  expect(lines[4]).toContain('implement #2 stopping 5s');
});

test('shows how many lines do not fit', () => {
  const lines = screen(sceneWith(50, 9, 60), 80, 24);
  expect(lines).toHaveLength(24);
  expect(lines.some((line) => /… and \d+ more lines/.test(line))).toBe(true);
});

test('keeps the last state on the screen while the daemon is unreachable, and says that the daemon is unreachable', () => {
  const lines = screen({ ...sceneWith(1, 0, 0), away: 'it is gone' }, 80, 10);
  expect(lines[1]).toBe('daemon unreachable, retrying: it is gone');
  expect(lines.join('\n')).toContain('SHOP-1');
});

test('never exceeds the lines and columns of the screen, regardless of the text', () => {
  const size = fc.record({
    columns: fc.integer({ min: 1, max: 120 }),
    rows: fc.integer({ min: 1, max: 50 }),
  });
  const amount = fc.integer({ min: 0, max: 20 });
  const title = fc.string({ unit: 'binary', maxLength: 60 });
  assertProperty(
    fc.property(size, amount, amount, amount, title, ({ columns, rows }, issues, inbox, events, text) => {
      const lines = screen(sceneWith(issues, inbox, events, text), columns, rows);
      const fits = lines.every((line) => stringWidth(line) <= columns && !/[\p{Cc}\p{Cf}]/u.test(line));
      return fits && lines.length <= rows;
    }),
    { numRuns: 40 },
  );
});
