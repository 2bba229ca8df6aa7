/**
 * Tests that Done and closed issues block no others, and that Legion does not reopen an issue that
 * a person closed.
 */
import { describe, expect, test } from 'vitest';
import { labelsOf, look, put, statusOf } from '../issues.ts';
import { unchanged } from '../unchanged.ts';
import type { Stage } from './tracker-under-test.ts';

export function ending(stage: Stage): void {
  describe('closing and reopening', () => {
    test('shows a closed issue with a terminal status', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { status: 'In Progress' });
      await tracker.close(id);
      expect(await statusOf(tracker, id)).toBe('terminal');
    });

    test('changes nothing when an issue is closed a second time, even after a lost response', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      stage.harness().loseNextAnswer();
      await expect(tracker.close(id)).rejects.toMatchObject({ retryable: true });
      expect(await statusOf(tracker, id)).toBe('terminal');
      await unchanged(tracker, id, () => tracker.close(id));
    });

    test('keeps a Done issue Done when it is closed', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { status: 'Done' });
      await tracker.close(id);
      expect(await statusOf(tracker, id)).toBe('Done');
    });

    test('keeps a closed issue closed if Legion writes to it late, but reopens it if a person moves it', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { status: 'In Progress' });
      await tracker.close(id);
      await tracker.write(id, { moveTo: 'Testing', labels: { add: ['worker-done'], remove: [] } });
      expect(await statusOf(tracker, id)).toBe('terminal');
      expect(await labelsOf(tracker, id)).toEqual(['worker-done']);
      await stage.harness().personMoves(id, 'Todo');
      expect(await statusOf(tracker, id)).toBe('Todo');
    });

    test('reopens a closed or Done issue in the column that a person moves it to', async () => {
      const tracker = await stage.harness().fresh();
      const [closed, done] = [await put(tracker, 'a'), await put(tracker, 'b', { status: 'Done' })];
      await tracker.close(closed);
      for (const id of [closed, done]) {
        await tracker.move(id, 'Todo');
        expect(await statusOf(tracker, id)).toBe('Todo');
        await unchanged(tracker, id, () => tracker.move(id, 'Todo'));
        await tracker.write(id, { moveTo: 'In Progress', labels: { add: [], remove: [] } });
        expect(await statusOf(tracker, id)).toBe('In Progress');
      }
    });

    test('treats a blocker as open until it is Done or closed, and as open again after it is reopened', async () => {
      const tracker = await stage.harness().fresh();
      const [done, closed] = [await put(tracker, 'a'), await put(tracker, 'b')];
      const id = await put(tracker, 'one', { blockedBy: [done, closed] });
      const open = async () => [...(await look(tracker, id)).openBlockers];
      expect((await open()).sort()).toEqual([done, closed].sort());
      await tracker.write(done, { moveTo: 'Done', labels: { add: [], remove: [] } });
      expect(await open()).toEqual([closed]);
      await tracker.close(closed);
      expect(await open()).toEqual([]);
      await stage.harness().personMoves(done, 'In Progress');
      expect(await open()).toEqual([done]);
    });
  });
}
