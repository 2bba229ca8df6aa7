import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import { fold } from '../../../src/core/state/evolve.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import { warningsAfter } from '../../../src/daemon/merging/auto-merge-warnings.ts';

const MINUTE = 60_000;

function warnings(minutes: number, ...bodies: readonly EventBody[]) {
  const merge: EventBody = {
    type: 'merge.landed',
    issue: 'A-1',
    merge: 1,
    pullRequest: 1,
    headSha: 'h',
    mergedSha: 'm',
    auto: true,
  };
  const events = [merge, ...bodies].map((body, index): Event => {
    return { ...body, seq: index + 1, epoch: 1, at: body.type === 'round.counted' ? minutes * MINUTE : 0 };
  });
  return warningsAfter(fold(emptySwarm(), events), events);
}

const red = (issue: string, reason: 'ci_failure' | 'review_changes'): EventBody => {
  return { type: 'round.counted', issue, reason, generation: 0, count: 1 };
};

test('red checks of another issue within 30 minutes of an auto-merge are told to the merged one, with the way back', () => {
  expect(warnings(29, red('A-2', 'ci_failure'))).toEqual([
    {
      kind: 'escalate',
      issue: 'A-1',
      key: 'A-1:auto-merge-suspect:A-2',
      text: 'A-2 has failed its checks (ci_failure) soon after this was merged without a person.\nIf this is the cause, `legion rollback A-1` opens a revert of m.',
    },
  ]);
});

test.each([
  ['later than that', 31, red('A-2', 'ci_failure')],
  ['its own', 5, red('A-1', 'ci_failure')],
  ['a reviewer’s wish', 5, red('A-2', 'review_changes')],
])('%s is no such sign', (_, minutes, event) => {
  expect(warnings(minutes, event)).toEqual([]);
});

test('what a person has undone is not suspected any more', () => {
  const undone: EventBody = {
    type: 'merge.undone',
    issue: 'A-1',
    merge: 1,
    revert: 2,
    branch: 'r',
    by: 'ada',
  };
  expect(warnings(5, undone, red('A-2', 'ci_failure'))).toEqual([]);
});
