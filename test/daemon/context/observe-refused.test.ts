/** One issue whose comments or pull request are refused says so on itself, and the look at the others goes on. */
import { expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import { observe } from '../../../src/daemon/context/observer.ts';
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

/** A board and a forge at the outermost edge that refuse what a test says. */
function look(refusal: LegionError) {
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
  return observe(outside, emptySwarm(), signal);
}

test('comments that are refused are a problem of their issue', async () => {
  const [first, second, third] = await look(new LegionError('github.forbidden', 'SAML'));
  expect(first).toMatchObject({ clarified: false, issue: { problems: [{ holds: false }] } });
  expect(first?.issue.problems?.[0]?.text).toBe('Legion cannot read the comments of this issue: SAML');
  expect(second).toMatchObject({ clarified: true, issue: ISSUES[1] });
  expect(second?.issue).not.toHaveProperty('problems');
  expect(third?.issue.problems?.[0]?.text).toBe(
    'Legion cannot read the pull request of this issue: GitHub does not show it.',
  );
});

test('what may pass rejects the whole look, which is tried again', async () => {
  const looking = look(new LegionError('github.unavailable', 'away'));
  await expect(looking).rejects.toMatchObject({ code: 'github.unavailable' });
});
