/** Tests that an issue is created once per key, complete and with its own id. */
import { describe, expect, test } from 'vitest';
import { readIssueId } from '../../../../src/core/model/ids.ts';
import { look, NEW_ISSUE, put, SIGNAL, statusOf } from '../issues.ts';
import { refusal } from '../refusal.ts';
import { unchanged } from '../unchanged.ts';
import type { Stage } from './tracker-under-test.ts';

export function creating(stage: Stage): void {
  describe('creating', () => {
    test('puts the complete issue on the board', async () => {
      const tracker = await stage.harness().fresh();
      const parent = await put(tracker, 'parent');
      const blockers = [await put(tracker, 'a'), await put(tracker, 'b')];
      const id = await tracker.create('child', {
        title: 'Grüße 🧵 <b>',
        body: 'Steps:\n\n1. `export`\n',
        status: 'Backlog',
        labels: ['bug', 'architect-continuity'],
        priority: 2,
        blockedBy: blockers,
        parent,
      });
      expect(readIssueId(id)).toEqual({ ok: true, value: id });
      const issue = await look(tracker, id);
      expect(issue).toMatchObject({
        id,
        source: { kind: tracker.kind },
        title: 'Grüße 🧵 <b>',
        body: 'Steps:\n\n1. `export`\n',
        priority: 2,
        parent,
      });
      expect(await statusOf(tracker, id)).toBe('Backlog');
      expect([...issue.labels].sort()).toEqual(['architect-continuity', 'bug']);
      expect([...issue.openBlockers].sort()).toEqual([...blockers].sort());
    });

    test('returns the same unchanged issue for a repeated key, from any handle', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'key', { title: 'First' });
      const other = await stage.harness().reopen();
      await unchanged(tracker, id, async () => {
        expect(await put(tracker, 'key', { title: 'Second', status: 'Done' })).toBe(id);
        expect(await put(other, 'key')).toBe(id);
      });
      expect(await tracker.list(SIGNAL)).toHaveLength(1);
    });

    test('creates one issue if the write succeeded but its response was lost', async () => {
      const tracker = await stage.harness().fresh();
      stage.harness().loseNextAnswer();
      await expect(put(tracker, 'key')).rejects.toMatchObject({ retryable: true });
      const id = await put(tracker, 'key');
      expect((await tracker.list(SIGNAL)).map((issue) => issue.id)).toEqual([id]);
    });

    test('creates one issue if two daemons create it at the same time', async () => {
      const tracker = await stage.harness().fresh();
      const handles = [tracker, await stage.harness().reopen(), await stage.harness().reopen()];
      const ids = await Promise.all([...handles, ...handles].map((handle) => put(handle, 'key')));
      expect(new Set(ids).size).toBe(1);
      expect(await tracker.list(SIGNAL)).toHaveLength(1);
    });

    test('when many issues are created at once, gives each key an issue with its own id', async () => {
      const tracker = await stage.harness().fresh();
      const handles = [tracker, await stage.harness().reopen()];
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, index) => put(handles[index % 2] ?? tracker, `key ${index}`)),
      );
      expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(40);
    });

    test('rejects an unknown parent or blocker and creates nothing', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const unknown = `${id}999`;
      for (const parts of [{ parent: unknown }, { blockedBy: [id, unknown] }]) {
        const call = tracker.create('two', { ...NEW_ISSUE, ...parts });
        const fault = await refusal(call);
        expect(fault).toMatchObject({ code: 'tracker.issue_unknown' });
        expect(fault.message).toContain(unknown);
      }
      expect(await tracker.list(SIGNAL)).toHaveLength(1);
    });
  });
}
