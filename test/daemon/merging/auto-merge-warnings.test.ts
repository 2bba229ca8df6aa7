import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import { foldEvents } from '../../../src/core/state/evolve.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { findAutoMergeWarnings } from '../../../src/daemon/merging/auto-merge-warnings.ts';

const MINUTE = 60_000;

const merge: EventBody = {
  type: 'merge.landed',
  issue: 'A-1',
  merge: 1,
  pullRequest: 1,
  headSha: 'h',
  mergedSha: 'm',
  auto: true,
};

function warnings(minutes: number, ...bodies: readonly EventBody[]) {
  const events = [merge, ...bodies].map((body, index): Event => {
    const isLate = body.type === 'round.counted' || body.type === 'attempt.crashed';
    return { ...body, seq: index + 1, epoch: 1, at: isLate ? minutes * MINUTE : 0 };
  });
  return findAutoMergeWarnings(foldEvents(createLegionState(), events), events, repositoryOf);
}

const repositoryOf = (issue: string) => issue.split('-')[0];

const red = (issue: string, reason: 'ci_failure' | 'review_changes'): EventBody => {
  return { type: 'round.counted', issue, reason, generation: 0, count: 1 };
};

test('if another issue fails its checks within 30 minutes of an auto-merge, warns on the merged issue and shows the rollback command', () => {
  expect(warnings(29, red('A-2', 'ci_failure'))).toEqual([
    {
      kind: 'escalate',
      issue: 'A-1',
      key: 'A-1:auto-merge-suspect:A-2',
      text: 'A-2 failed its checks (ci_failure) soon after this issue was merged automatically.\nIf this is the cause, `legion rollback A-1` opens a revert of m.',
    },
  ]);
});

test.each([
  ['a failure more than 30 minutes later', 31, red('A-2', 'ci_failure')],
  ['a failure of the merged issue itself', 5, red('A-1', 'ci_failure')],
  ['a failure in another repository', 5, red('B-2', 'ci_failure')],
  ['a request for changes by a reviewer', 5, red('A-2', 'review_changes')],
])('does not warn about %s', (_, minutes, event) => {
  expect(warnings(minutes, event)).toEqual([]);
});

test('does not suspect a merge that a person has already reverted', () => {
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

const attempt = { issue: 'A-2', mode: 'implement', attempt: 1 } as const;
const dispatched: EventBody = {
  type: 'attempt.dispatched',
  ...attempt,
  session: 's',
  version: 0,
  host: 'h',
};
const crashed: EventBody = { type: 'attempt.crashed', ...attempt, evidence: ['exit=1'] };

test('warns if a worker that started after the auto-merge crashes within 30 minutes', () => {
  expect(warnings(29, dispatched, crashed)).toMatchObject([
    {
      issue: 'A-1',
      key: 'A-1:auto-merge-suspect:A-2',
      text: expect.stringContaining('The implement worker of A-2 crashed soon after'),
    },
  ]);
  expect(warnings(31, dispatched, crashed)).toEqual([]);
});

test('does not warn about the crash of a worker that started before the auto-merge', () => {
  const before = [dispatched, merge, crashed].map((body, index): Event => {
    return { ...body, seq: index + 1, epoch: 1, at: index * MINUTE };
  });
  expect(findAutoMergeWarnings(foldEvents(createLegionState(), before), before, repositoryOf)).toEqual([]);
});
