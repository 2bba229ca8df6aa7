/** Tests that a list is either complete or an error. */
import { describe, expect, test } from 'vitest';
import { readStatus } from '../../../../src/core/model/status.ts';
import { look, NEW_ISSUE, put, SIGNAL } from '../issues.ts';
import { refusal } from '../refusal.ts';
import { hook, type Stage } from './tracker-under-test.ts';

/** More than two pages of 100, the page size on both GitHub and Linear. */
const MANY = 230;

export function listing(stage: Stage): void {
  describe('listing', () => {
    test('returns an empty list for a new board', async () => {
      const tracker = await stage.harness().fresh();
      expect(await tracker.list(SIGNAL)).toEqual([]);
    });

    test('returns every issue once across pages', async () => {
      const tracker = await stage.harness().fresh();
      const ids: string[] = [];
      for (let number = 1; number <= MANY; number += 1) ids.push(await put(tracker, `key ${number}`));
      const listed = (await tracker.list(SIGNAL)).map((issue) => issue.id);
      expect(listed.sort()).toEqual(ids.sort());
    });

    test('returns an issue exactly as a read of that issue does', async () => {
      const tracker = await stage.harness().fresh();
      const blocker = await put(tracker, 'blocker');
      await put(tracker, 'rich', {
        labels: ['bug', 'ui'],
        priority: 2,
        blockedBy: [blocker],
        status: 'Todo',
      });
      for (const issue of await tracker.list(SIGNAL)) expect(await look(tracker, issue.id)).toEqual(issue);
    });

    test('includes Done and closed issues', async () => {
      const tracker = await stage.harness().fresh();
      const done = await put(tracker, 'done', { status: 'Done' });
      const closed = await put(tracker, 'closed');
      await tracker.close(closed);
      expect((await tracker.list(SIGNAL)).map((issue) => issue.id).sort()).toEqual([done, closed].sort());
    });

    test('returns the same list through another handle', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one', { labels: ['bug'] });
      await tracker.write(id, { moveTo: 'Testing', labels: { add: ['worker-active'], remove: [] } });
      expect(await (await stage.harness().reopen()).list(SIGNAL)).toEqual(await tracker.list(SIGNAL));
    });

    test('includes every issue whose creation was acknowledged before the list started, even while another handle writes', async () => {
      const reader = await stage.harness().fresh();
      const writer = await stage.harness().reopen();
      const ids: string[] = [];
      const writing = (async () => {
        for (let number = 1; number <= 40; number += 1) {
          const id = await put(writer, `key ${number}`);
          await writer.write(id, { moveTo: 'Testing', labels: { add: ['worker-active'], remove: [] } });
          ids.push(id);
        }
      })();
      for (let round = 1; round <= 40; round += 1) {
        const known = [...ids];
        const listed = new Map((await reader.list(SIGNAL)).map((issue) => [issue.id, issue]));
        for (const id of known) {
          const { column = '', labels } = listed.get(id) ?? {};
          expect([id, readStatus(column), labels]).toEqual([id, 'Testing', ['worker-active']]);
        }
        await Promise.resolve();
      }
      await writing;
    });

    test('does not start if its signal was aborted, and rejects with the signal’s reason', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      const reason = new Error('the daemon stops');
      const aborted = AbortSignal.abort(reason);
      for (const call of [
        tracker.list(aborted),
        tracker.read(id, aborted),
        tracker.commentsSince(id, 0, aborted),
      ]) {
        await expect(call).rejects.toBe(reason);
      }
    });

    if (stage.without.breakNextList === undefined) {
      test('rejects with a retryable error if it is interrupted, and the next list is complete', async () => {
        const tracker = await stage.harness().fresh();
        for (let number = 1; number <= MANY; number += 1) await tracker.create(`key ${number}`, NEW_ISSUE);
        hook(stage, 'breakNextList')();
        await expect(tracker.list(SIGNAL)).rejects.toMatchObject({ retryable: true });
        expect(await tracker.list(SIGNAL)).toHaveLength(MANY);
      });
    }
  });

  describe('reading', () => {
    test('resolves to undefined for an issue that is not on the board', async () => {
      const tracker = await stage.harness().fresh();
      const id = await put(tracker, 'one');
      expect(await tracker.read(`${id}999`, SIGNAL)).toBeUndefined();
    });

    test.each([
      '',
      '../../etc/passwd',
      'a/b',
      'x'.repeat(161),
      'LEG-1\n',
      "x' OR 1=1",
      '\u202eLEG-1',
      '.',
      '-rf',
    ])('rejects the hostile id %j', async (id) => {
      const tracker = await stage.harness().fresh();
      expect(await refusal(tracker.read(id, SIGNAL))).toMatchObject({ code: 'id.invalid' });
    });

    test('reports whether an issue may start a worker, and why', async () => {
      const tracker = await stage.harness().fresh();
      const verdict = tracker.mayDispatch(await look(tracker, await put(tracker, 'one')));
      expect(verdict).toEqual({ allowed: true, why: expect.stringMatching(/\w{3}/) });
    });
  });
}
