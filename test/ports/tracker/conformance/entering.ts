/**
 * Tests the time at which an issue entered its column. Legion uses this time to find out whether a
 * person has commented since.
 */
import { describe, expect, test } from 'vitest';
import type { Tracker } from '../../../../src/ports/tracker.ts';
import { comments, labels, look, put } from '../issues.ts';
import type { Stage } from './tracker-under-test.ts';

export function entering(stage: Stage): void {
  if (stage.without.enteredStatusAt !== undefined) return;
  describe('entering a column', () => {
    test('is recorded with a time that stays the same until the column changes', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { status: 'Icebox' });
      const entered = await enteredAt(tracker, id);
      await tracker.write(id, { moveTo: 'Icebox', ...labels(['needs-approval']) });
      await tracker.comment(id, 'key', 'What is missing: steps.');
      await stage.harness().personComments(id, 'Steps: …');
      await stage.harness().personLabels(id, { add: ['bug'] });
      await stage.harness().personMoves(id, 'Icebox');
      expect(await enteredAt(tracker, id)).toBe(entered);
    });

    test('has a time that distinguishes a person’s later comments from earlier ones', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const clarified = async () => {
        const since = await comments(tracker, id, await enteredAt(tracker, id));
        return since.some(({ by }) => by === 'writer');
      };
      await stage.harness().personComments(id, 'Before.');
      await tracker.write(id, { moveTo: 'Icebox', ...labels([]) });
      expect(await clarified()).toBe(false);
      await tracker.comment(id, 'ask', 'What is missing: steps.');
      expect(await clarified()).toBe(false);
      await stage.harness().personComments(id, 'Steps: …');
      expect(await clarified()).toBe(true);
      await stage.harness().personMoves(id, 'Backlog');
      await tracker.write(id, { moveTo: 'Icebox', ...labels([]) });
      expect(await clarified()).toBe(false);
    });

    test('also happens when an issue is closed or reopened', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const created = await enteredAt(tracker, id);
      await tracker.close(id);
      const closed = await enteredAt(tracker, id);
      await stage.harness().personMoves(id, 'Triage');
      const opened = await enteredAt(tracker, id);
      expect([closed > created, opened > closed]).toEqual([true, true]);
    });
  });
}

async function enteredAt(tracker: Tracker, issue: string): Promise<number> {
  const { enteredStatusAt } = await look(tracker, issue);
  if (enteredStatusAt === undefined) throw new Error(`${issue} has no enteredStatusAt`);
  return enteredStatusAt;
}
