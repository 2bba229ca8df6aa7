import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';
import { observeIssue } from '../../../src/daemon/context/observer.ts';
import { executeMerge } from '../../../src/daemon/merging/carry-out-merge.ts';
import { createWorkerApi } from '../../../src/daemon/worker-api/worker-api.ts';
import { git } from '../../ports/forge/git.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { onlyOne, openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());
beforeEach(() => {
  working.policy = { ...DEFAULT_POLICY, qualityGate: 'configured' };
});

const READY = ['test-passed', 'human-approved'] as const;
const base = () => git(working.repository, 'rev-parse', 'main');

interface Ready {
  readonly issue: string;
  readonly head: string;
  readonly number: number;
  readonly merger: WorkerIdentity;
}

/**
 * Creates an issue in Retro and its merge worker. All evidence refers to the head commit of the
 * issue's branch.
 */
async function ready(
  labels: readonly string[] = READY,
  body?: string,
  files?: Readonly<Record<string, string>>,
): Promise<Ready> {
  const issue = await working.issue('Retro', labels);
  const head = await working.commitToBranch(issue, files ?? { [`${issue}.txt`]: 'work\n' });
  const implementer = await working.dispatch(issue, 'implement');
  const { number } = await working.say(implementer, 'pr_open', {
    title: 'Work',
    body: body ?? `Closes ${issue}`,
  });
  const reviewer = await working.dispatch(issue, 'review');
  await working.say(reviewer, 'review', { verdict: 'approve', text: 'Good.' });
  await working.world.ledger.append((['test', 'quality_gate', 'retro'] as const).map(proof(issue, head)));
  return { issue, head, number, merger: await working.dispatch(issue, 'merge') };
}

function proof(issue: string, sha: string) {
  return (kind: 'test' | 'quality_gate' | 'retro', index: number): EventBody => ({
    type: 'evidence.recorded',
    issue,
    kind,
    revision: index + 1,
    sha,
    verdict: 'passed',
    by: 'test',
    suites: ['unit'],
    detail: '',
  });
}

/**
 * Records a green quality gate at a commit. The result is valid only at that commit, so the host
 * runs the gate again at every new head.
 */
async function provenByGate(issue: string, sha: string): Promise<void> {
  const revision = working.record(issue).lastEvidence;
  await working.world.ledger.append([proof(issue, sha)('quality_gate', revision)]);
}

/** Rebases the branch of an issue onto the current base, in a separate workspace. */
async function rebaseOntoBase(issue: string): Promise<string> {
  const workspace = await working.workspace(issue);
  await git(workspace, 'rebase', '--quiet', 'main');
  return git(workspace, 'rev-parse', 'HEAD');
}

test('merges work that meets every condition, records the merge in the journal, and does nothing if the merge is repeated', async () => {
  const { issue, head, number, merger } = await ready();
  const merged = await working.say(merger, 'merge');
  expect(await base()).toBe(merged.mergedSha);
  expect(working.record(issue)).toMatchObject({
    lastMerge: 1,
    merged: { pullRequest: number, headSha: head, mergedSha: merged.mergedSha, auto: false },
  });
  expect(working.wakes.at(-1)).toBe(issue);
  expect(await working.say(merger, 'merge')).toEqual(merged);
  expect(working.record(issue).lastMerge).toBe(1);
});

test('lists every unmet condition with its evidence and merges nothing', async () => {
  const { issue, merger } = await ready(['human-approved'], 'Without a word on the issue');
  await working.commitToBranch(issue, { 'more.txt': 'unseen\n' });
  const before = await base();
  const { code, message } = await refusal(working.say(merger, 'merge'));
  expect(code).toBe('merge.refused');
  for (const open of [
    'names_issue is fail (namesIssue=false)',
    'ci_green is fail (ci=none, evidence.qualityGate=void)',
    'review_approved is fail (review=none)',
    'tests_passed is fail (test-passed=false, evidence.test=void)',
  ]) {
    expect(message).toContain(open);
  }
  expect(message).not.toContain('mergeable is');
  expect(await base()).toBe(before);
  expect(working.record(issue).merged).toBeUndefined();
});

test("merges the scripted agent's work only into a demo repository", async () => {
  const { issue, merger } = await ready();
  const test = await working.dispatch(issue, 'test', 'scripted');
  expect(test.attempt).toBe(1);
  const before = await base();
  expect(await refusal(working.say(merger, 'merge'))).toMatchObject({
    code: 'merge.refused',
    message: expect.stringContaining('real_work is fail (scripted=true, demoRepository=false)'),
  });
  expect(await base()).toBe(before);
  working.policy = { ...working.policy, isDemoRepository: true };
  expect(await working.say(merger, 'merge')).toMatchObject({ mergedSha: await base() });
});

test('refuses a merge under every condition that also keeps a merge worker from starting', async () => {
  const { issue, merger } = await ready();
  const refused = async () => (await refusal(working.say(merger, 'merge'))).message;
  const other = await working.issue('Backlog');
  await working.board.edit(issue, { blockers: { add: [other], remove: [] } });
  expect(await refused()).toContain(`not_blocked is fail (blockers=${other})`);
  await working.board.edit(issue, { blockers: { add: [], remove: [other] } });
  await working.board.relabel(issue, { add: ['legion-paused'], remove: [] });
  expect(await refused()).toContain('not_paused is fail');
  await working.board.relabel(issue, { add: ['user-input-needed'], remove: ['legion-paused'] });
  expect(await refused()).toContain('no_open_question is fail');
  await working.board.relabel(issue, { add: [], remove: ['user-input-needed'] });
  await working.world.ledger.append([
    { type: 'labels.owed', issue, revision: 1, add: ['user-input-needed'], remove: [] },
  ]);
  expect(await refused(), 'a label the journal owes').toContain('user-input-needed=true');
  await working.world.ledger.append([{ type: 'labels.written', issue, revision: 1 }]);
  await working.board.move(issue, 'Needs Review');
  expect(await refused()).toContain('in_retro is fail (status=Needs Review)');
  await working.board.move(issue, 'Retro');
  await working.unreadable(issue, async () => {
    expect(await refusal(working.say(merger, 'merge'))).toMatchObject({ code: 'worker.not_ready' });
  });
  expect(await working.say(merger, 'merge')).toMatchObject({ mergedSha: await base() });
});

test('without a person’s approval, merges only if the auto-merge gate passes again', async () => {
  const small = await ready(['test-passed', 'auto-merged', 'docs']);
  expect((await refusal(working.say(small.merger, 'merge'))).message).toContain('autoMerge=not_allowed');
  working.policy = { ...working.policy, autoMergeAllowed: true };
  await working.say(small.merger, 'merge');
  expect(working.record(small.issue).merged).toMatchObject({ auto: true });
  const unsafe = await ready(['test-passed', 'auto-merged', 'security']);
  expect((await refusal(working.say(unsafe.merger, 'merge'))).message).toContain('autoMerge=fail');
});

test('commits that change only the retro paths keep the evidence valid, but a conflict still prevents the merge', async () => {
  const [first, second] = [await ready(), await ready()];
  await provenByGate(
    first.issue,
    await working.commitToBranch(first.issue, { 'docs/solutions/same.md': 'one\n' }),
  );
  await provenByGate(
    second.issue,
    await working.commitToBranch(second.issue, { 'docs/solutions/same.md': 'two\n' }),
  );
  expect(await working.say(first.merger, 'merge')).toMatchObject({ mergedSha: await base() });
  const { message } = await refusal(working.say(second.merger, 'merge'));
  expect(message).toMatch(/: mergeable is fail \(mergeable=conflicting\)$/);
});

test('a rebase that leaves the patch unchanged keeps all evidence and the approval', async () => {
  const { issue, head, merger } = await ready();
  await working.commitToBranch('main', { 'elsewhere.txt': 'somebody else\n' });
  const rebased = await rebaseOntoBase(issue);
  expect(rebased).not.toBe(head);
  await provenByGate(issue, rebased);
  expect(await working.say(merger, 'merge')).toMatchObject({ mergedSha: await base() });
});

test('without CI, runs the quality gate once at a rebased head and merges when it is green', async () => {
  const { issue, merger } = await ready();
  await working.commitToBranch('main', { 'beside.txt': 'somebody else\n' });
  const rebased = await rebaseOntoBase(issue);
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Working['gate']>>>();
  let runs = 0;
  working.gate = () => {
    runs += 1;
    return promise;
  };
  const merges = [working.say(merger, 'merge'), working.say(merger, 'merge')];
  resolve({ verdict: 'passed', why: 'it ended with 0', tail: '' });
  for (const merged of await Promise.all(merges)) expect(merged.mergedSha).toBe(await base());
  expect(runs).toBe(1);
  expect(working.record(issue).evidence.quality_gate).toMatchObject({ sha: rebased, verdict: 'passed' });
});

test('without CI, refuses the merge if the quality gate is red at the rebased head', async () => {
  const { issue, merger } = await ready();
  await working.commitToBranch('main', { 'red.txt': 'somebody else\n' });
  await rebaseOntoBase(issue);
  working.gate = async () => ({ verdict: 'failed', why: 'it ended with 1', tail: 'lint: 3 errors\n' });
  expect((await refusal(working.say(merger, 'merge'))).message).toMatch(
    /: ci_green is fail \(ci=none, evidence.qualityGate=failed\)$/,
  );
});

test('a rebase onto files that the branch also changes requires tests and review again, but no retro', async () => {
  const lines = (first: string, last: string) => [first, ...'bcdefghi', last, ''].join('\n');
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'j') });
  const { issue, merger } = await ready(READY, undefined, { 'lines.txt': lines('ours', 'j') });
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'theirs') });
  await provenByGate(issue, await rebaseOntoBase(issue));
  const { message } = await refusal(working.say(merger, 'merge'));
  expect(message).toContain('tests_passed is fail (test-passed=true, evidence.test=void)');
  expect(message).toContain('review_approved is fail (review=none)');
  expect(message).not.toContain('retro_done');
});

test('merges two pull requests of one repository one after the other', async () => {
  const [one, two] = [await ready(), await ready()];
  const before = Number(await git(working.repository, 'rev-list', '--count', 'main'));
  const merged = await Promise.all([working.say(one.merger, 'merge'), working.say(two.merger, 'merge')]);
  // Each merge waits for its quality gate before its turn comes, so either merge may be first.
  const landed = [await git(working.repository, 'rev-parse', 'main~1'), await base()];
  expect(landed.toSorted()).toEqual(merged.map(({ mergedSha }) => mergedSha).toSorted());
  expect(Number(await git(working.repository, 'rev-list', '--count', 'main'))).toBe(before + 2);
});

test('when the base moves, checks again and merges onto the new base, but gives up if the base keeps moving', async () => {
  const { merger } = await ready();
  const moving = movingBase(1);
  const merged = await moving.during(() => working.say(merger, 'merge'));
  expect(merged.mergedSha).toBe(await base());
  expect(moving.asked()).toBe(2);

  const { issue, merger: unlucky } = await ready();
  const always = movingBase(Number.POSITIVE_INFINITY);
  const refused = await always.during(() => refusal(working.say(unlucky, 'merge')));
  expect(refused).toMatchObject({ code: 'forge.base_moved', retryable: true });
  expect(always.asked()).toBe(3);
  expect(working.record(issue).merged).toBeUndefined();
});

/** Simulates another process that moves the base right before the forge merges. */
function movingBase(times: number) {
  const { forge } = working;
  let asked = 0;
  async function moveOn(): Promise<void> {
    const tree = await git(working.repository, 'rev-parse', 'main^{tree}');
    const commit = await git(working.repository, 'commit-tree', tree, '-p', 'main', '-m', 'Meanwhile');
    await git(working.repository, 'update-ref', 'refs/heads/main', commit);
  }
  const shoved: typeof forge.merge = async (number, at) => {
    asked += 1;
    if (asked <= times) await moveOn();
    return forge.merge(number, at);
  };
  return {
    asked: () => asked,
    async during<T>(work: () => Promise<T>): Promise<T> {
      const { world: context } = working;
      const repository = { ...context.repositories.require('any'), forge: { ...forge, merge: shoved } };
      const said = working.speech;
      working.speech = createWorkerApi({ ...context, repositories: onlyOne(repository) });
      try {
        return await work();
      } finally {
        working.speech = said;
      }
    },
  };
}

test('if the daemon was killed between the merge and its journal entry, the next call records the merge', async () => {
  const { issue, head, number, merger } = await ready();
  const { mergedSha } = await working.forge.merge(number, { headSha: head, baseSha: await base() });
  await working.restart();
  expect(await working.say(merger, 'merge')).toMatchObject({ mergedSha });
  expect(working.record(issue).merged).toMatchObject({
    pullRequest: number,
    headSha: head,
    mergedSha,
    auto: false,
  });
});

test('if the daemon was killed right after the merge, keeps the gate results from before the merge', async () => {
  const { issue, head, number, merger } = await ready();
  const preMerge = [{ name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' }] as const;
  const order = { issue, pullRequest: number, headSha: head, baseSha: await base(), preMerge };
  await executeMerge(working.world, working.forge, {
    ...order,
    by: 'the merger',
    actor: 'worker',
    forced: false,
  });
  await working.restart();
  expect(working.record(issue)).toMatchObject({ mergeBegun: { pullRequest: number, headSha: head } });
  await working.say(merger, 'merge');
  expect(working.record(issue).merged?.gate).toEqual({ by: 'the merger', preMerge });
  expect(working.record(issue).mergeBegun).toBeUndefined();
});

test('an attempt that ends while it is waiting for its turn does not merge', async () => {
  const [first, second] = [await ready(), await ready()];
  const before = working.say(first.merger, 'merge');
  const late = refusal(working.say(second.merger, 'merge'));
  await working.world.ledger.append([{ type: 'attempt.stopped', ...second.merger, why: 'asked to' }]);
  await before;
  expect(await late).toMatchObject({ code: 'worker.attempt_over' });
  expect(working.record(second.issue).merged).toBeUndefined();
});

test('if a person’s uncommitted changes block the merge, ends the attempt without a crash, and the issue waits', async () => {
  const { issue, merger } = await ready();
  const before = await base();
  await working.world.ledger.append(
    (['implement', 'review'] as const).map((mode) => ({
      type: 'attempt.stopped',
      issue,
      mode,
      attempt: 1,
      why: 'its phase is over',
    })),
  );
  await git(working.repository, 'checkout', '--quiet', 'main');
  try {
    writeFileSync(join(working.repository, `${issue}.txt`), 'mine');
    expect(await refusal(working.say(merger, 'merge'))).toMatchObject({
      code: 'forge.base_in_use',
      message: expect.stringMatching(new RegExp(`${issue}\\.txt[^]*Nothing was merged`)),
    });
    expect(await base()).toBe(before);
    expect(working.record(issue)).toMatchObject({ lastMergeBegun: 1 });
    expect(working.record(issue).mergeBegun).toBeUndefined();
    expect(working.worker(merger)).toMatchObject({ failedLives: [] });
    expect(toLifecycleState(working.worker(merger).facts)).toBe('stopped');
    expect(working.wakes.at(-1)).toBe(issue);
    const outside = { tracker: working.board, forgeOf: () => working.forge, columns: {} };
    const look = () => observeIssue(outside, working.world.ledger.state, issue, new AbortController().signal);
    expect((await look())?.checkouts).toMatchObject([{ files: [`${issue}.txt`] }]);
    rmSync(join(working.repository, `${issue}.txt`));
    expect((await look())?.checkouts).toEqual([]);
    await working.say(await working.dispatch(issue, 'merge'), 'merge');
    expect(await base()).not.toBe(before);
  } finally {
    await git(working.repository, 'checkout', '--quiet', '--detach');
  }
});

test('refuses to merge without a pull request', async () => {
  const merger = await working.dispatch(await working.issue('Retro', READY), 'merge');
  expect(await refusal(working.say(merger, 'merge'))).toMatchObject({ code: 'worker.not_ready' });
});
