/** What cannot be done is refused with a code, and leaves no trace. */
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
    test('of an issue that is not on the board is refused by its name, and changes no other', async () => {
      const tracker = await stage.harness().fresh();
      const unknown = `${await put(tracker, 'one', { labels: ['worker-active'] })}999`;
      const before = await tracker.list(SIGNAL);
      const fault = await refusal(call(tracker, unknown));
      expect(fault).toMatchObject({ code: 'tracker.issue_unknown' });
      expect(fault.message).toContain(unknown);
      expect(await tracker.list(SIGNAL)).toEqual(before);
    });

    test('of a hostile id is refused before anything is asked', async () => {
      const tracker = await stage.harness().fresh();
      for (const id of ['../../etc/passwd', '', "LEG-1' OR '1'='1", 'LEG-1\0']) {
        expect(await refusal(call(tracker, id)), id).toMatchObject({ code: 'id.invalid' });
      }
    });
  });
}
