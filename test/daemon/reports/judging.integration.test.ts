import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { judgeReport } from '../../../src/daemon/reports/judge-report.ts';
import { makeScratchFolder } from '../../../src/daemon/repositories/prepared-workspace.ts';
import { createWorkerApi } from '../../../src/daemon/worker-api/worker-api.ts';
import { openLocalBoard } from '../../../src/integrations/local/tracker/open-local-board.ts';
import { SCRATCH_FOLDER } from '../../../src/ports/workspace.ts';
import { git } from '../../ports/forge/git.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const DONE = { summary: 'did it' };
const TEXT = { title: 'Work', body: 'What was done.' };
const stateOf = (who: WorkerIdentity) => toLifecycleState(working.worker(who).facts);
const judge = ({ issue, mode }: WorkerIdentity) => judgeReport(working.world, toWorkerId(issue, mode));

/**
 * Returns the effective labels of an issue whose board labels still contain `worker-active` from
 * the dispatch.
 */
const labels = (issue: string) =>
  [...computeEffectiveLabels(['worker-active'], working.world.ledger.state, issue)].sort();

async function begin(status: Parameters<Working['issue']>[0], mode: Mode, given: readonly string[] = []) {
  const issue = await working.issue(status, given);
  return working.dispatch(issue, mode);
}

/**
 * Expects that the report is refused, that the refusal lists everything missing, that no label is
 * added and that the worker continues.
 */
async function refused(who: WorkerIdentity, ...missing: readonly string[]): Promise<void> {
  const answer = await working.say(who, 'done', DONE);
  expect(answer).toMatchObject({ durable: true, accepted: false });
  for (const words of missing) expect(answer.missing).toContain(words);
  expect(stateOf(who)).toBe('executing');
  expect(labels(who.issue)).not.toContain('worker-done');
}

/**
 * Expects that the report is accepted with these labels, and that repeating the report returns the
 * same response and writes nothing.
 */
async function accepted(who: WorkerIdentity, ...marks: readonly string[]): Promise<void> {
  expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
  expect(stateOf(who)).toBe('finished');
  expect(labels(who.issue)).toEqual([...marks, 'worker-done'].sort());
  expect(working.wakes.at(-1)).toBe(who.issue);
  const { version } = working.world.ledger.state;
  expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
  expect(working.world.ledger.state.version).toBe(version);
}

test('accepts the report of an architect once the architect has written a specification or split the issue', async () => {
  const one = await begin('Backlog', 'architect');
  await refused(one, 'There is no specification', 'legion worker split');
  await working.say(one, 'handoff_write', { summary: 'Criteria.' });
  await accepted(one);
  const other = await begin('Backlog', 'architect');
  await working.say(other, 'split', { children: [{ title: 'Part', body: 'of it' }] });
  await accepted(other);
});

test('if an architect was called back to review a plan, accepts its report only after the review', async () => {
  const who = await begin('Todo', 'architect', ['architect-continuity']);
  await working.say(who, 'handoff_write', { summary: 'Criteria of before.' });
  await refused(who, 'plan-review');
  await working.say(who, 'plan_review', { verdict: 'approve', text: 'Good.' });
  await accepted(who, 'arch-review-approved');
});

test.each([
  ['architect', 'Backlog', 'Todo'],
  ['plan', 'Todo', 'In Progress'],
] as const)(
  'a report of the %s worker does not finish the phase if a person has moved the issue',
  async (mode, from, to) => {
    const who = await begin(from, mode);
    await working.say(who, 'handoff_write', { summary: 'Criteria.' });
    await working.world.tracker.move(who.issue, to);
    expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
    expect(stateOf(who)).toBe('finished');
    expect(labels(who.issue)).toEqual([]);
  },
);

test("accepts a planner's report once there is a plan", async () => {
  const who = await begin('Todo', 'plan');
  await refused(who, 'There is no plan');
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  await accepted(who);
});

test.each([
  ['architect', 'Backlog'],
  ['plan', 'Todo'],
] as const)(
  'refuses a report of the %s worker while the workspace has uncommitted changes outside the scratch directory',
  async (mode, status) => {
    const who = await begin(status, mode);
    await working.say(who, 'handoff_write', { summary: 'Written.' });
    const workspace = await working.workspace(who.issue);
    makeScratchFolder(workspace);
    await writeFile(join(workspace, SCRATCH_FOLDER, 'split.json'), '{}');
    await writeFile(join(workspace, 'notes.txt'), 'scratch');
    await refused(who, 'uncommitted changes (notes.txt)', SCRATCH_FOLDER);
    await rm(join(workspace, 'notes.txt'));
    await accepted(who);
  },
);

test("refuses an implementer's report while scratch files are committed, and lists them", async () => {
  const who = await begin('In Progress', 'implement');
  const workspace = await working.workspace(who.issue);
  makeScratchFolder(workspace);
  await writeFile(join(workspace, SCRATCH_FOLDER, 'split.json'), '{}');
  await working.commit(who.issue, { 'work.txt': 'work' });
  expect(await git(workspace, 'ls-files', SCRATCH_FOLDER)).toBe('');
  await git(workspace, 'add', '--force', `${SCRATCH_FOLDER}/split.json`);
  await git(workspace, 'commit', '--quiet', '-m', 'By force');
  await working.say(who, 'push');
  await working.say(who, 'pr_open', TEXT);
  await refused(who, `scratch files (${SCRATCH_FOLDER}/split.json)`);
});

test("accepts an implementer's report once the pull request contains all of its work", async () => {
  const who = await begin('In Progress', 'implement');
  await refused(who, 'There is no pull request. Push, then run `legion worker pr open`.');
  const path = await working.workspace(who.issue);
  await writeFile(join(path, 'new.txt'), 'not committed\n');
  await refused(who, 'There is no pull request', 'uncommitted changes (new.txt)');
  await working.commit(who.issue, {});
  await working.say(who, 'pr_open', TEXT);
  await git(path, 'checkout', '--quiet', '--detach');
  await working.commit(who.issue, { 'ahead.txt': 'not pushed\n' });
  await refused(who, 'Your workspace is at', 'Push your commits with `legion worker push`');
  await git(path, 'checkout', '--quiet', who.issue);
  await accepted(who);
});

test("accepts a tester's report once the head commit has a test verdict", async () => {
  const who = await begin('Testing', 'test');
  const { issue } = who;
  await refused(who, 'There is no pull request');
  const old = await working.commitToBranch(issue, { 'tested.txt': 'work\n' });
  await working.forge.open(issue, { issue, author: 'implementer', ...TEXT, draft: false });
  await refused(who, 'There is no verdict at the head');
  await tested(issue, old, 'passed');
  const head = await working.commitToBranch(issue, { 'tested.txt': 'other work\n' });
  await refused(who, 'There is no verdict at the head');
  await tested(issue, head, 'could_not_run');
  await refused(who, 'There is no verdict at the head');
  await tested(issue, head, 'passed');
  await accepted(who, 'test-passed');
});

test('a failed test verdict finishes the test phase and adds the label test-failed', async () => {
  const who = await begin('Testing', 'test', ['test-passed']);
  const { issue } = who;
  const head = await working.commitToBranch(issue, { 'red.txt': 'work\n' });
  await working.forge.open(issue, { issue, author: 'implementer', ...TEXT, draft: false });
  await tested(issue, head, 'failed');
  await accepted(who, 'test-failed');
  expect(working.record(issue).owed).toMatchObject([{ remove: ['worker-active', 'test-passed'] }]);
});

async function tested(
  issue: string,
  sha: string,
  verdict: 'passed' | 'failed' | 'could_not_run',
): Promise<void> {
  const revision = working.record(issue).lastEvidence + 1;
  const said = { issue, kind: 'test', revision, sha, verdict, by: 'test', suites: [], detail: '' } as const;
  await working.world.ledger.append([{ type: 'evidence.recorded', ...said, suites: [] }]);
}

test("accepts a reviewer's report once this reviewer has reviewed the head commit", async () => {
  const who = await begin('Needs Review', 'review');
  const { issue } = who;
  const sha = await working.commitToBranch(issue, { 'review.txt': 'work\n' });
  const number = await working.forge.open(issue, { issue, author: 'implementer', ...TEXT, draft: false });
  await working.forge.review(number, { reviewer: 'somebody', verdict: 'approved', sha, text: 'ok' });
  await refused(who, 'You have not reviewed the head');
  await working.say(who, 'review', { verdict: 'request-changes', text: 'Not yet.' });
  await accepted(who);
});

test('accepts a retro report once its handoff is written and everything is pushed, and records evidence at the head', async () => {
  const who = await begin('Retro', 'implement');
  const { issue } = who;
  await working.commit(issue, { 'retro.txt': 'work\n' });
  await working.say(who, 'pr_open', TEXT);
  const note = join(await working.workspace(issue), 'note.md');
  await writeFile(note, 'learnt\n');
  await refused(who, 'There is no retro handoff', 'uncommitted changes (note.md)');
  await rm(note);
  const head = await working.commit(issue, { 'docs/solutions/note.md': 'learnt\n' });
  await working.say(who, 'handoff_write', { summary: 'Learnt.' });
  await accepted(who);
  expect(working.record(issue).evidence.retro).toMatchObject({
    sha: head,
    verdict: 'passed',
    by: toWorkerId(issue, 'implement'),
  });
});

test("accepts a merger's report once the pull request is merged, and records the merge", async () => {
  const who = await begin('Retro', 'merge', ['auto-merged']);
  const { issue } = who;
  const headSha = await working.commitToBranch(issue, { 'merge.txt': 'work\n' });
  const number = await working.forge.open(issue, { issue, author: 'implementer', ...TEXT, draft: false });
  await refused(who, `Pull request ${number} is not merged`);
  const baseSha = await git(working.repository, 'rev-parse', 'main');
  const { mergedSha } = await working.forge.merge(number, { headSha, baseSha });
  await accepted(who);
  expect(working.record(issue).merged).toMatchObject({ pullRequest: number, headSha, mergedSha, auto: true });
});

test('keeps a report whose evidence cannot be read and judges it later', async () => {
  const who = await begin('In Progress', 'implement');
  await working.commitToBranch(who.issue, { 'later.txt': 'work\n' });
  await working.say(who, 'pr_open', TEXT);
  await working.unreadable(who.issue, async () => {
    const answer = await working.say(who, 'done', DONE);
    expect(answer).toMatchObject({ durable: true });
    expect(answer.accepted).toBeUndefined();
    expect(stateOf(who)).toBe('reporting');
    expect(await judge(who)).toBe('unknown');
    expect(await working.say(who, 'done', DONE), 'said again').toEqual(answer);
  });
  await working.restart();
  expect(working.worker(who)).toMatchObject({
    lastReport: 1,
    report: { outcome: 'done', summary: 'did it' },
  });
  expect(await judge(who)).toBe('accepted');
  expect(await judge(who)).toBe('nothing_to_judge');
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
});

test('if an issue is unreadable, its report waits, and an active problem is shown until the report is judged', async () => {
  const who = await begin('Todo', 'plan');
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const apart = createWorkerApi({ ...working.world, tracker: closed });
  expect(await apart.handleVerb(who, 'done', DONE)).toMatchObject({ durable: true });
  expect(stateOf(who)).toBe('reporting');
  expect(working.world.problems.list()).toMatchObject([{ code: 'tracker.closed' }]);
  expect(await judge(who)).toBe('refused');
  expect(working.world.problems.list()).toEqual([]);
});

test('returns the same response to two identical concurrent reports, and records only one', async () => {
  const who = await begin('Todo', 'plan');
  const both = await Promise.all([working.say(who, 'done', DONE), working.say(who, 'done', DONE)]);
  expect(both).toMatchObject([{ accepted: false }, { accepted: false }]);
  for (const { missing } of both) expect(missing).toContain('There is no plan');
  expect(working.worker(who).lastReport).toBe(1);
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  const later = await Promise.all([working.say(who, 'done', DONE), working.say(who, 'done', DONE)]);
  expect(later).toMatchObject([{ accepted: true }, { accepted: true }]);
  expect(working.record(who.issue).lastOwed).toBe(1);
});

test('a reported error ends the attempt without evidence or labels and counts as a failed attempt', async () => {
  const who = await begin('In Progress', 'implement');
  for (const _ of ['first', 'again']) {
    const answer = await working.say(who, 'error', { summary: 'no compiler' });
    expect(answer).toMatchObject({ durable: true, accepted: true });
  }
  expect(stateOf(who)).toBe('stopped');
  expect(working.worker(who)).toMatchObject({ lastReport: 1, failedLives: [{}], lateReports: [] });
  expect(working.record(who.issue).owed).toEqual([]);
  expect(working.wakes.at(-1)).toBe(who.issue);
});

test('a reported error replaces an earlier "done" report that was not judged yet', async () => {
  const who = await begin('In Progress', 'implement');
  await working.unreadable(who.issue, () => working.say(who, 'done', DONE));
  expect(stateOf(who)).toBe('reporting');
  expect(await working.say(who, 'error', { summary: 'it was not' })).toMatchObject({ accepted: true });
  expect(working.worker(who)).toMatchObject({ lastReport: 2, report: { outcome: 'error' } });
  expect(stateOf(who)).toBe('stopped');
});

test("a report ends the worker's wait for an answer", async () => {
  const who = await begin('Todo', 'plan');
  await working.say(who, 'ask', { question: 'this?' });
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  await accepted(who, 'user-input-needed');
});

test('a report that is judged only after its attempt has ended does not affect the next attempt', async () => {
  const who = await begin('Todo', 'plan');
  const { issue, mode } = who;
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  const report = { type: 'attempt.reported', report: 1, outcome: 'done', summary: 'planned' } as const;
  await working.world.ledger.append([{ ...report, ...who }]);
  const judging = judge(who);
  const next = { issue, mode, attempt: 2 };
  await working.world.ledger.append([
    { type: 'attempt.crashed', ...who, evidence: ['gone'] },
    { type: 'attempt.dispatched', ...next, session: 'session', version: 0, host: 'here' },
    { ...report, ...next },
  ]);
  expect(await judging).toBe('nothing_to_judge');
  expect(stateOf(next)).toBe('reporting');
  expect(working.record(issue).owed).toEqual([]);
});

test('judges nothing for a worker that has not reported or does not exist', async () => {
  const who = await begin('Todo', 'plan');
  expect(await judge(who)).toBe('nothing_to_judge');
  expect(await judgeReport(working.world, 'nobody-plan')).toBe('nothing_to_judge');
});
