/**
 * Checks that a refused read of comments or of a pull request is reported on the issue that it
 * concerns, and that the other issues are still observed.
 */
import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { observeBoard } from '../../../src/daemon/context/observer.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';

const { signal } = new AbortController();
const ISSUE = {
  source: { kind: 'local' },
  title: 'Work',
  body: '',
  labels: [],
  priority: 0,
  createdAt: 1,
  enteredStatusAt: 1,
  openBlockers: [],
} as const;
const ISSUES = [
  { ...ISSUE, id: 'A-1', column: 'Icebox' },
  { ...ISSUE, id: 'A-2', column: 'Icebox' },
  { ...ISSUE, id: 'A-3', column: 'Testing' },
];
const WORD = {
  id: '1',
  author: 'ada',
  by: 'writer',
  at: 2,
  text: 'The command should print the sum of all quantities and refuse a negative one.',
} as const;

/**
 * Observes a board. Its tracker refuses to return the comments of A-1 with this error, and its
 * forge cannot read pull requests.
 */
function observe(refusal: LegionError) {
  const tracker: Pick<Tracker, 'list' | 'commentsSince'> = {
    list: async () => ISSUES,
    commentsSince: async (issue) => {
      if (issue === 'A-1') throw refusal;
      return [WORD];
    },
  };
  const forge: Pick<Forge, 'pullRequests' | 'whyUnknown'> = {
    pullRequests: async (branches) => new Map(branches.map((branch) => [branch, 'unknown'])),
    whyUnknown: () => 'GitHub does not show it.',
  };
  const outside = { tracker: tracker as Tracker, forgeOf: () => forge as Forge, columns: {} };
  return observeBoard(outside, createLegionState(), signal);
}

test('if the tracker refuses to return comments, reports a problem on the issue that they belong to', async () => {
  const [first, second, third] = await observe(new LegionError('github.forbidden', 'SAML'));
  expect(first).toMatchObject({ clarified: false, issue: { problems: [{ holds: false }] } });
  expect(first?.issue.problems?.[0]?.text).toBe('Legion cannot read the comments of this issue: SAML');
  expect(second).toMatchObject({ clarified: true, issue: ISSUES[1] });
  expect(second?.issue).not.toHaveProperty('problems');
  expect(third?.issue.problems?.[0]?.text).toBe(
    'Legion cannot read the pull request of this issue: GitHub does not show it.',
  );
});

test("rejects the whole observation if the tracker's error is retryable", async () => {
  const observing = observe(new LegionError('github.unavailable', 'away'));
  await expect(observing).rejects.toMatchObject({ code: 'github.unavailable' });
});
