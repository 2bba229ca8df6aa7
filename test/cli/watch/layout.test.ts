import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { layout } from '../../../src/cli/commands/watch/layout.ts';
import type { Scene } from '../../../src/cli/commands/watch/picture.ts';
import { rendered } from '../../../src/cli/present/line.ts';
import { assertProperty } from '../../support/property.ts';
import { DONE, HEALTH, INBOX, ISSUE, WORKER } from '../support/answers.ts';

const NOW = 62_000;

function sceneWith(issues: number, inbox: number, events: number, title = 'Sell tea'): Scene {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  return {
    picture: {
      health: HEALTH,
      issues: many(issues, (index) => ({ ...ISSUE, id: `SHOP-${index + 1}`, title })),
      workers: [WORKER],
      inbox: many(inbox, () => INBOX),
    },
    events: many(events, (seq) => ({ seq, at: NOW, type: 'decision.made', issue: 'SHOP-1', action: 'skip' })),
    away: undefined,
  };
}

function screen(scene: Scene, columns: number, rows: number): string[] {
  return layout(scene, { columns, rows }, NOW).map((line) => rendered(line, columns));
}

test('shows what is where, who is at it, what waits, and what happened last', () => {
  const { picture, ...rest } = sceneWith(1, 1, 1);
  const issues = [
    { ...ISSUE, title: 'Sell tea' },
    DONE,
    { ...ISSUE, id: 'SHOP-3', labels: ['needs-approval'] },
  ];
  const scene: Scene = { ...rest, picture: picture && { ...picture, issues } };
  const lines = screen(scene, 80, 14).map((line) => line.trimEnd());
  expect(lines.slice(0, 6)).toEqual([
    'shop · 1 waiting for you · 1 of 4 workers · 3 issues · up 1m',
    '',
    'In Progress 2',
    '  SHOP-1  Sell tea                          implement #2 executing 59s',
    '  SHOP-3  Sell ·[2Jtea                      waits for approval',
    'Done 1',
  ]);
  expect(lines.slice(-5, -3)).toEqual([
    'Waits for you',
    '  SHOP-1 question  Sell tea  legion answer SHOP-1 "…"  59s',
  ]);
  expect(lines.at(-2)).toMatch(/^ {2}\d\d:\d\d:\d\d {2}SHOP-1 {2}decision made {2}skip$/);
  expect(lines.at(-1)).toContain('q ends');
});

test('shows how long a worker has been in its state, and one that is being stopped', () => {
  const { picture, ...rest } = sceneWith(2, 0, 0);
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
  const lines = screen({ ...rest, picture: picture && { ...picture, ...changed } }, 120, 14);
  expect(lines[0]).toContain('1 of 4 workers, 1 stopping');
  expect(lines[3]).toContain('implement #2 waiting-user 12s');
  expect(lines[4]).toContain('implement #2 stopping 5s');
});

test('says how much there is no room for', () => {
  const lines = screen(sceneWith(50, 9, 60), 80, 24);
  expect(lines).toHaveLength(24);
  expect(lines.some((line) => /… and \d+ more lines/.test(line))).toBe(true);
});

test('an away daemon keeps the last picture and says so', () => {
  const lines = screen({ ...sceneWith(1, 0, 0), away: 'it is gone' }, 80, 10);
  expect(lines[1]).toBe('daemon away: it is gone; trying again');
  expect(lines.join('\n')).toContain('SHOP-1');
});

test('never takes more lines or columns than there are, whatever the texts are', () => {
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
