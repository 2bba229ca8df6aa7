/**
 * Tests that the move and the labels of a step are written together, and that repeating them is
 * harmless.
 */
import { describe, expect, test } from 'vitest';
import { LABELS } from '../../../../src/core/model/label.ts';
import { STATUSES } from '../../../../src/core/model/status.ts';
import { labels, labelsOf, look, put, statusOf } from '../issues.ts';
import { refusal } from '../refusal.ts';
import { unchanged } from '../unchanged.ts';
import { hook, type Stage } from './tracker-under-test.ts';

export function writing(stage: Stage): void {
  describe('writing', () => {
    test('moves an issue to each status; its new column reads back as that status', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      for (const moveTo of [...STATUSES, ...STATUSES.toReversed()]) {
        await tracker.write(id, { moveTo, labels: { add: [], remove: [] } });
        expect(await statusOf(tracker, id)).toBe(moveTo);
      }
    });

    test('adds and removes each of Legion’s labels', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      await tracker.write(id, labels(LABELS));
      expect(await labelsOf(tracker, id)).toEqual([...LABELS].sort());
      await tracker.write(id, labels([], LABELS));
      expect(await labelsOf(tracker, id)).toEqual([]);
    });

    test('moves and labels in one write, and leaves other labels unchanged', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { labels: ['bug'] });
      await stage.harness().personLabels(id, { add: ['worker-done', 'needs-approval', 'good first issue'] });
      await tracker.write(id, {
        moveTo: 'Testing',
        labels: { add: ['test-failed'], remove: ['worker-done'] },
      });
      expect(await statusOf(tracker, id)).toBe('Testing');
      expect(await labelsOf(tracker, id)).toEqual([
        'bug',
        'good first issue',
        'needs-approval',
        'test-failed',
      ]);
    });

    test('changes nothing when repeated through any handle', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { labels: ['bug'] });
      const change = {
        moveTo: 'Retro',
        labels: { add: ['worker-active'], remove: ['worker-done'] },
      } as const;
      await tracker.write(id, change);
      const other = await stage.harness().reopen();
      await unchanged(tracker, id, async () => {
        await tracker.write(id, change);
        await other.write(id, change);
        await tracker.write(id, labels([]));
      });
    });

    test('can be repeated if the write succeeded but its response was lost', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const change = { moveTo: 'Retro', labels: { add: ['worker-active'], remove: [] } } as const;
      stage.harness().loseNextAnswer();
      await expect(tracker.write(id, change)).rejects.toMatchObject({ retryable: true });
      expect(await statusOf(tracker, id)).toBe('Retro');
      await unchanged(tracker, id, () => tracker.write(id, change));
    });

    test('loses no labels when many writes happen at once', async () => {
      const first = await stage.harness().fresh();
      const id = await put(first, 'one', { labels: ['bug'] });
      const handles = [first, await stage.harness().reopen(), await stage.harness().reopen()];
      await Promise.all(
        LABELS.flatMap((label, index) => [
          handles[index % handles.length]?.write(id, labels([label])),
          stage.harness().personLabels(id, { add: [`by-hand-${index}`] }),
        ]),
      );
      expect(await labelsOf(first, id)).toEqual(
        ['bug', ...LABELS, ...LABELS.map((_, index) => `by-hand-${index}`)].sort(),
      );
    });

    test('leaves other issues unchanged', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const other = await put(tracker, 'other', { labels: ['worker-active'] });
      await unchanged(tracker, other, () =>
        tracker.write(id, { moveTo: 'Done', labels: { add: [], remove: ['worker-active'] } }),
      );
    });

    if (stage.without.freshWithout === undefined) {
      test('rejects a move to a status without a column, and writes no part of the change', async () => {
        const tracker = await hook(stage, 'freshWithout')('Retro');
        const id = await put(tracker, 'one');
        const before = await look(tracker, id);
        const call = tracker.write(id, { moveTo: 'Retro', labels: { add: ['worker-done'], remove: [] } });
        expect(await refusal(call)).toMatchObject({ code: 'tracker.column_missing' });
        expect(await look(tracker, id)).toEqual(before);
      });
    }
  });
}
