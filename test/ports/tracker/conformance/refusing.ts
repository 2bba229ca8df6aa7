/**
 * Tests that operations on unknown or hostile ids are rejected with an error code and change
 * nothing.
 */
import { describe, expect, test } from 'vitest';
import type { IssueId } from '../../../../src/core/model/ids.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';
import { labels, put, SIGNAL } from '../issues.ts';
import { refusal } from '../refusal.ts';
import type { Stage } from './tracker-under-test.ts';

const CALLS: Readonly<Record<string, (tracker: Tracker, issue: IssueId) => Promise<unknown>>> = {
  'comments since': (tracker, issue) => tracker.commentsSince(issue, 0, SIGNAL),
  'a move': (tracker, issue) => tracker.write(issue, { moveTo: 'Done', ...labels([]) }),
  labels: (tracker, issue) => tracker.write(issue, labels(['worker-done'], ['worker-active'])),
  'no change': (tracker, issue) => tracker.write(issue, labels([])),
  'a comment': (tracker, issue) => tracker.comment(issue, 'key', 'text'),
  closing: (tracker, issue) => tracker.close(issue),
  'a person’s move': (tracker, issue) => tracker.move(issue, 'Todo'),
};

export function refusing(stage: Stage): void {
  describe.each(Object.entries(CALLS))('%s', (_, call) => {
    test('rejects an issue that is not on the board, quotes its id and changes no other issue', async () => {
      const tracker = await stage.harness().fresh();
      const unknown = `${await put(tracker, 'one', { labels: ['worker-active'] })}999`;
      const before = await tracker.list(SIGNAL);
      const fault = await refusal(call(tracker, unknown));
      expect(fault).toMatchObject({ code: 'tracker.issue_unknown' });
      expect(fault.message).toContain(unknown);
      expect(await tracker.list(SIGNAL)).toEqual(before);
    });

    test('rejects a hostile id before any request', async () => {
      const tracker = await stage.harness().fresh();
      for (const id of ['../../etc/passwd', '', "LEG-1' OR '1'='1", 'LEG-1\0']) {
        expect(await refusal(call(tracker, id)), id).toMatchObject({ code: 'id.invalid' });
      }
    });
  });
}
