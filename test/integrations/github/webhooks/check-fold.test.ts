/** Words about checks, folded to one summary a commit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CHECKS_MOST,
  type CheckSeen,
  type Checks,
  COMMITS_MOST,
  closeDue,
  closesAt,
  LONGEST_MS,
  NO_CHECKS,
  PLACES_MOST,
  QUIET_MS,
  withCheck,
} from '../../../../src/envoy/github/check-fold.ts';
import {
  type CheckState,
  FAILING_MOST,
  statusVerdict,
  summaryOf,
  verdictOf,
} from '../../../../src/envoy/github/check-summary.ts';
import { assertProperty } from '../../../support/property.ts';

const SHA = 'a'.repeat(40);

function seen(check: Partial<CheckState> = {}, sha = SHA): CheckSeen {
  const { name = 'build', kind = 'run', suite = 1 } = check;
  const key = `${kind} ${kind === 'status' ? '' : suite} ${kind === 'run' || kind === 'status' ? name : ''}`;
  const rest = { id: 1, at: 1_000, verdict: 'passing' as const };
  return {
    ...{ owner: 'acme', repo: 'shop', sha, branches: ['x'], pullRequests: [7] },
    check: { ...rest, key, name, kind, suite, ...check },
  };
}

const folded = (words: readonly CheckSeen[], now = 0): Checks =>
  words.reduce((checks, word) => withCheck(checks, word, now), NO_CHECKS);
const told = (...words: Partial<CheckState>[]) => summaryOf(words.map((word) => seen(word).check));

test('a window closes when nothing more comes', () => {
  let checks = withCheck(NO_CHECKS, seen(), 100);
  expect(closesAt(checks)).toBe(100 + QUIET_MS);
  checks = withCheck(checks, seen({ name: 'lint' }), 1_100);
  expect(closesAt(checks)).toBe(1_100 + QUIET_MS);
  expect(closeDue(checks, 1_099 + QUIET_MS).closed).toEqual([]);
  const { closed, checks: after } = closeDue(checks, 1_100 + QUIET_MS);
  expect(closed).toMatchObject([{ summary: { verdict: 'passing', failing: [] }, commit: { sha: SHA } }]);
  expect(closesAt(after)).toBeUndefined();
});

test('a window that is open for long closes though more comes', () => {
  let checks = NO_CHECKS;
  for (let now = 0; now <= LONGEST_MS; now += 500)
    checks = withCheck(checks, seen({ name: `job ${now}` }), now);
  expect(closesAt(checks)).toBe(LONGEST_MS);
  expect(closeDue(checks, LONGEST_MS).closed).toHaveLength(1);
});

test('only what has changed is news; each commit has its own', () => {
  let checks = closeDue(folded([seen(), seen({}, 'b'.repeat(40))]), QUIET_MS).checks;
  checks = withCheck(checks, seen({ at: 2_000 }), 5_000);
  const again = closeDue(checks, 5_000 + QUIET_MS);
  expect(again.closed).toMatchObject([{ summary: undefined, commit: { sha: SHA } }]);
  checks = withCheck(again.checks, seen({ name: 'lint', verdict: 'failing' }), 9_000);
  expect(closeDue(checks, 9_000 + QUIET_MS).closed).toMatchObject([
    { summary: { verdict: 'failing', failing: ['lint'] } },
  ]);
});

test('other failing names are news though the verdict stays', () => {
  let checks = closeDue(folded([seen({ verdict: 'failing' })]), QUIET_MS).checks;
  checks = withCheck(checks, seen({ name: 'lint', verdict: 'failing' }), 5_000);
  expect(closeDue(checks, 5_000 + QUIET_MS).closed[0]?.summary?.failing).toEqual(['build', 'lint']);
});

test('a later try takes the place of an earlier one, whichever is heard first', () => {
  const first = seen({ id: 1, verdict: 'failing', at: 9_000 });
  const second = seen({ id: 2, verdict: 'passing', at: 9_000 });
  for (const words of [
    [first, second],
    [second, first],
  ]) {
    expect(closeDue(folded(words), QUIET_MS).closed[0]?.summary?.verdict).toBe('passing');
  }
});

test('the same words in any order, and several times, give the same summary', () => {
  const word = fc.record({
    name: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('run' as const, 'status' as const, 'suite' as const, 'workflow' as const),
    suite: fc.constantFrom(1, 2),
    id: fc.constantFrom(1, 2),
    at: fc.constantFrom(1_000, 2_000),
    verdict: fc.constantFrom('passing' as const, 'failing' as const, 'pending' as const),
  });
  const words = fc.array(word, { minLength: 1, maxLength: 12 });
  assertProperty(
    // A name is a part of what a word says, but of two words about one suite in one second it may be any.
    fc.property(words, fc.func(fc.integer()), (given, key) => {
      const named = given.map((each) => {
        if (each.kind === 'run') return each;
        // A status belongs to no suite.
        return each.kind === 'status' ? { ...each, suite: undefined } : { ...each, name: each.kind };
      });
      const shuffled = [...named, ...named, ...named].map((each, index) => ({ each, at: key(index) }));
      shuffled.sort((one, other) => one.at - other.at);
      const verdict = (list: readonly Partial<CheckState>[]) =>
        closeDue(folded(list.map((each) => seen(each))), QUIET_MS).closed[0]?.summary;
      expect(verdict(shuffled.map(({ each }) => each))).toEqual(verdict(named));
    }),
    { numRuns: 300 },
  );
});

test('the summary is failing before pending before passing, with the names of what fails', () => {
  expect(told({ name: 'a' }, { name: 'b' })).toEqual({ verdict: 'passing', failing: [] });
  expect(told({ name: 'a' }, { name: 'b', verdict: 'pending' })).toEqual({ verdict: 'pending', failing: [] });
  expect(
    told(
      { name: 'z', verdict: 'failing' },
      { name: 'b', verdict: 'pending' },
      { name: 'a', verdict: 'failing' },
    ),
  ).toEqual({ verdict: 'failing', failing: ['a', 'z'] });
});

test('a suite and a workflow count where their runs are not known, or where those show no failure', () => {
  const suite = { kind: 'suite', name: 'GitHub Actions', verdict: 'failing' } as const;
  const workflow = { kind: 'workflow', name: 'CI', verdict: 'failing' } as const;
  expect(told(suite)?.failing).toEqual(['GitHub Actions']);
  expect(told(suite, workflow)?.failing).toEqual(['CI']);
  expect(told(suite, workflow, { name: 'lint', verdict: 'failing' })?.failing).toEqual(['lint']);
  expect(told(workflow, { name: 'lint' })?.failing).toEqual(['CI']);
  expect(told({ ...workflow, verdict: 'pending' }, { name: 'lint' })?.verdict).toBe('passing');
  expect(told({ ...workflow, verdict: 'pending' })?.verdict).toBe('pending');
});

test('a suite in which nobody checks anything says nothing', () => {
  expect(told({ kind: 'suite', verdict: 'pending' })).toBeUndefined();
  expect(closeDue(folded([seen({ kind: 'suite', verdict: 'pending' })]), QUIET_MS).closed).toMatchObject([
    { summary: undefined },
  ]);
});

test.each([
  ['completed', 'success', 'passing'],
  ['completed', 'neutral', 'passing'],
  ['completed', 'skipped', 'passing'],
  ['completed', 'failure', 'failing'],
  ['completed', 'timed_out', 'failing'],
  ['completed', 'cancelled', 'failing'],
  ['completed', 'action_required', 'failing'],
  ['completed', 'startup_failure', 'failing'],
  ['completed', 'stale', 'pending'],
  ['completed', null, 'pending'],
  ['completed', 'not invented yet', 'pending'],
  ['in_progress', null, 'pending'],
  ['queued', 'success', 'pending'],
  [undefined, undefined, 'pending'],
] as const)('%s with %s is %s', (status, conclusion, verdict) => {
  expect(verdictOf(status, conclusion)).toBe(verdict);
});

test('a status is passing, failing or pending', () => {
  expect(['success', 'failure', 'error', 'pending', 'x'].map(statusVerdict)).toEqual([
    ...['passing', 'failing', 'failing', 'pending', 'pending'],
  ]);
});

test('commits are forgotten beyond the most, those that were told of first', () => {
  const sha = (index: number) => String(index).padStart(40, '0');
  let checks = closeDue(withCheck(NO_CHECKS, seen({}, sha(0)), 0), QUIET_MS).checks;
  for (let index = 1; index < COMMITS_MOST + 1; index += 1)
    checks = withCheck(checks, seen({}, sha(index)), 5_000);
  expect(checks.commits.size).toBe(COMMITS_MOST);
  expect(closeDue(checks, 99_000)).toMatchObject({ isLossy: false });
  checks = withCheck(checks, seen({}, sha(COMMITS_MOST + 1)), 5_000);
  const due = closeDue(checks, 99_000);
  expect([checks.commits.size, due.closed.length, due.isLossy]).toEqual([COMMITS_MOST, COMMITS_MOST, true]);
  expect(closeDue(due.checks, 99_000).isLossy).toBe(false);
});

test('more checks than anybody has are not remembered, but wake', () => {
  const words = Array.from({ length: CHECKS_MOST + 10 }, (_, index) => seen({ name: `job ${index}` }));
  const { closed } = closeDue(folded(words), QUIET_MS);
  expect(closed[0]?.commit.checks.size).toBe(CHECKS_MOST);
});

test('a summary has a bounded number of names, and a commit of places', () => {
  const words = Array.from({ length: 70 }, (_, index) => ({
    ...seen({ name: `job ${index}`, verdict: 'failing' }),
    branches: [`branch ${index}`],
    pullRequests: [index],
  }));
  const { closed } = closeDue(folded(words), QUIET_MS);
  expect(closed[0]?.summary?.failing).toHaveLength(FAILING_MOST);
  expect(closed[0]?.commit.branches).toHaveLength(PLACES_MOST);
  expect(closed[0]?.commit.pullRequests).toHaveLength(PLACES_MOST);
});
