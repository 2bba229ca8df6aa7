/** Tests how check events are combined into one summary per commit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CheckFoldState,
  type CheckObservation,
  type CheckState,
  closeDueWindows,
  computeCheckSummary,
  findNextCloseTime,
  MAX_CHECKS_PER_COMMIT,
  MAX_COMMITS,
  MAX_FAILING_NAMES,
  MAX_REFS_PER_COMMIT,
  MAX_WINDOW_MS,
  NO_CHECKS,
  QUIET_MS,
  toCheckVerdict,
  toStatusVerdict,
  withCheck,
} from '../../../../src/integrations/github/webhooks/check-summary.ts';
import { assertProperty } from '../../../support/property.ts';

const SHA = 'a'.repeat(40);

function seen(check: Partial<CheckState> = {}, sha = SHA): CheckObservation {
  const { name = 'build', kind = 'run', suite = 1 } = check;
  const key = `${kind} ${kind === 'status' ? '' : suite} ${kind === 'run' || kind === 'status' ? name : ''}`;
  const rest = { id: 1, at: 1_000, verdict: 'passing' as const };
  return {
    owner: 'acme',
    repo: 'shop',
    sha,
    branches: ['x'],
    pullRequests: [7],
    check: { ...rest, key, name, kind, suite, ...check },
  };
}

const folded = (words: readonly CheckObservation[], now = 0): CheckFoldState =>
  words.reduce((checks, word) => withCheck(checks, word, now), NO_CHECKS);
const told = (...words: Partial<CheckState>[]) => computeCheckSummary(words.map((word) => seen(word).check));

test('closes a collection window after a quiet period', () => {
  let checks = withCheck(NO_CHECKS, seen(), 100);
  expect(findNextCloseTime(checks)).toBe(100 + QUIET_MS);
  checks = withCheck(checks, seen({ name: 'lint' }), 1_100);
  expect(findNextCloseTime(checks)).toBe(1_100 + QUIET_MS);
  expect(closeDueWindows(checks, 1_099 + QUIET_MS).closed).toEqual([]);
  const { closed, checks: after } = closeDueWindows(checks, 1_100 + QUIET_MS);
  expect(closed).toMatchObject([{ summary: { verdict: 'passing', failing: [] }, commit: { sha: SHA } }]);
  expect(findNextCloseTime(after)).toBeUndefined();
});

test('closes a collection window at its maximum length even if events keep coming', () => {
  let checks = NO_CHECKS;
  for (let now = 0; now <= MAX_WINDOW_MS; now += 500)
    checks = withCheck(checks, seen({ name: `job ${now}` }), now);
  expect(findNextCloseTime(checks)).toBe(MAX_WINDOW_MS);
  expect(closeDueWindows(checks, MAX_WINDOW_MS).closed).toHaveLength(1);
});

test('reports only changed summaries, separately for each commit', () => {
  let checks = closeDueWindows(folded([seen(), seen({}, 'b'.repeat(40))]), QUIET_MS).checks;
  checks = withCheck(checks, seen({ at: 2_000 }), 5_000);
  const again = closeDueWindows(checks, 5_000 + QUIET_MS);
  expect(again.closed).toMatchObject([{ summary: undefined, commit: { sha: SHA } }]);
  checks = withCheck(again.checks, seen({ name: 'lint', verdict: 'failing' }), 9_000);
  expect(closeDueWindows(checks, 9_000 + QUIET_MS).closed).toMatchObject([
    { summary: { verdict: 'failing', failing: ['lint'] } },
  ]);
});

test('reports a summary if the failing names differ, even if the verdict is unchanged', () => {
  let checks = closeDueWindows(folded([seen({ verdict: 'failing' })]), QUIET_MS).checks;
  checks = withCheck(checks, seen({ name: 'lint', verdict: 'failing' }), 5_000);
  expect(closeDueWindows(checks, 5_000 + QUIET_MS).closed[0]?.summary?.failing).toEqual(['build', 'lint']);
});

test('prefers a later rerun, even if its event arrives first', () => {
  const first = seen({ id: 1, verdict: 'failing', at: 9_000 });
  const second = seen({ id: 2, verdict: 'passing', at: 9_000 });
  for (const words of [
    [first, second],
    [second, first],
  ]) {
    expect(closeDueWindows(folded(words), QUIET_MS).closed[0]?.summary?.verdict).toBe('passing');
  }
});

test('gives the same summary for reordered and repeated events', () => {
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
    // If two events of one suite have timestamps in the same second, the name of either may be
    // chosen. Suites and workflows therefore get a fixed name.
    fc.property(words, fc.func(fc.integer()), (given, key) => {
      const named = given.map((each) => {
        if (each.kind === 'run') return each;
        // A status has no suite.
        return each.kind === 'status' ? { ...each, suite: undefined } : { ...each, name: each.kind };
      });
      const shuffled = [...named, ...named, ...named].map((each, index) => ({ each, at: key(index) }));
      shuffled.sort((one, other) => one.at - other.at);
      const verdict = (list: readonly Partial<CheckState>[]) =>
        closeDueWindows(folded(list.map((each) => seen(each))), QUIET_MS).closed[0]?.summary;
      expect(verdict(shuffled.map(({ each }) => each))).toEqual(verdict(named));
    }),
    { numRuns: 300 },
  );
});

test('ranks failing over pending and pending over passing, and lists the names of failing checks', () => {
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

test('takes a suite or workflow into account only if its runs are unknown, or if it fails although none of its runs fails', () => {
  const suite = { kind: 'suite', name: 'GitHub Actions', verdict: 'failing' } as const;
  const workflow = { kind: 'workflow', name: 'CI', verdict: 'failing' } as const;
  expect(told(suite)?.failing).toEqual(['GitHub Actions']);
  expect(told(suite, workflow)?.failing).toEqual(['CI']);
  expect(told(suite, workflow, { name: 'lint', verdict: 'failing' })?.failing).toEqual(['lint']);
  expect(told(workflow, { name: 'lint' })?.failing).toEqual(['CI']);
  expect(told({ ...workflow, verdict: 'pending' }, { name: 'lint' })?.verdict).toBe('passing');
  expect(told({ ...workflow, verdict: 'pending' })?.verdict).toBe('pending');
});

test('ignores a suite without checks', () => {
  expect(told({ kind: 'suite', verdict: 'pending' })).toBeUndefined();
  expect(
    closeDueWindows(folded([seen({ kind: 'suite', verdict: 'pending' })]), QUIET_MS).closed,
  ).toMatchObject([{ summary: undefined }]);
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
] as const)('maps status %s with conclusion %s to %s', (status, conclusion, verdict) => {
  expect(toCheckVerdict(status, conclusion)).toBe(verdict);
});

test('maps a commit status to passing, failing or pending', () => {
  expect(['success', 'failure', 'error', 'pending', 'x'].map(toStatusVerdict)).toEqual([
    ...['passing', 'failing', 'failing', 'pending', 'pending'],
  ]);
});

test('drops the oldest reported commits beyond the limit', () => {
  const sha = (index: number) => String(index).padStart(40, '0');
  let checks = closeDueWindows(withCheck(NO_CHECKS, seen({}, sha(0)), 0), QUIET_MS).checks;
  for (let index = 1; index < MAX_COMMITS + 1; index += 1)
    checks = withCheck(checks, seen({}, sha(index)), 5_000);
  expect(checks.commits.size).toBe(MAX_COMMITS);
  expect(closeDueWindows(checks, 99_000)).toMatchObject({ isLossy: false });
  checks = withCheck(checks, seen({}, sha(MAX_COMMITS + 1)), 5_000);
  const due = closeDueWindows(checks, 99_000);
  expect([checks.commits.size, due.closed.length, due.isLossy]).toEqual([MAX_COMMITS, MAX_COMMITS, true]);
  expect(closeDueWindows(due.checks, 99_000).isLossy).toBe(false);
});

test('remembers only a limited number of checks per commit, and still reports the commit', () => {
  const words = Array.from({ length: MAX_CHECKS_PER_COMMIT + 10 }, (_, index) =>
    seen({ name: `job ${index}` }),
  );
  const { closed } = closeDueWindows(folded(words), QUIET_MS);
  expect(closed[0]?.commit.checks.size).toBe(MAX_CHECKS_PER_COMMIT);
});

test('limits the names in a summary, and the branches and pull requests of a commit', () => {
  const words = Array.from({ length: 70 }, (_, index) => ({
    ...seen({ name: `job ${index}`, verdict: 'failing' }),
    branches: [`branch ${index}`],
    pullRequests: [index],
  }));
  const { closed } = closeDueWindows(folded(words), QUIET_MS);
  expect(closed[0]?.summary?.failing).toHaveLength(MAX_FAILING_NAMES);
  expect(closed[0]?.commit.branches).toHaveLength(MAX_REFS_PER_COMMIT);
  expect(closed[0]?.commit.pullRequests).toHaveLength(MAX_REFS_PER_COMMIT);
});
