import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workerId } from '../../../src/core/model/ids.ts';
import type { WorkerIdentity } from '../../../src/daemon/daemon.ts';
import { makeScratchFolder, SCRATCH_FOLDER } from '../../../src/daemon/perform/scratch-folder.ts';
import { judgeReport } from '../../../src/daemon/reports/judge-report.ts';
import { openSpeech } from '../../../src/daemon/speech/speech.ts';
import { lifecycleOf } from '../../../src/domain/lifecycle.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { effectiveLabels } from '../../../src/swarm/effective-labels.ts';
import { openLocalBoard } from '../../../src/trackers/local/open-local-board.ts';
import { git } from '../../ports/forge/git.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const DONE = { summary: 'did it' };
const TEXT = { title: 'Work', body: 'What was done.' };
const stateOf = (who: WorkerIdentity) => lifecycleOf(working.worker(who).facts);
const judge = ({ issue, mode }: WorkerIdentity) => judgeReport(working.world, workerId(issue, mode));

/** The labels as they count, with `worker-active` on the board as a dispatch leaves it. */
const labels = (issue: string) =>
  [...effectiveLabels(['worker-active'], working.world.ledger.swarm, issue)].sort();

async function begin(status: Parameters<Working['issue']>[0], mode: Mode, given: readonly string[] = []) {
  const issue = await working.issue(status, given);
  return working.dispatch(issue, mode);
}

/** Everything that is missing is told, nothing is marked, and the worker goes on. */
async function refused(who: WorkerIdentity, ...missing: readonly string[]): Promise<void> {
  const answer = await working.say(who, 'done', DONE);
  expect(answer).toMatchObject({ durable: true, accepted: false });
  for (const words of missing) expect(answer.missing).toContain(words);
  expect(stateOf(who)).toBe('executing');
  expect(labels(who.issue)).not.toContain('worker-done');
}

/** Accepted in one append, with its marks; the same report again is the same. */
async function accepted(who: WorkerIdentity, ...marks: readonly string[]): Promise<void> {
  expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
  expect(stateOf(who)).toBe('finished');
  expect(labels(who.issue)).toEqual([...marks, 'worker-done'].sort());
  expect(working.wakes.at(-1)).toBe(who.issue);
  const { version } = working.world.ledger.swarm;
  expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
  expect(working.world.ledger.swarm.version).toBe(version);
}

test('an architect is done with a specification, or with a split', async () => {
  const one = await begin('Backlog', 'architect');
  await refused(one, 'There is no specification', 'legion worker split');
  await working.say(one, 'handoff_write', { summary: 'Criteria.' });
  await accepted(one);
  const other = await begin('Backlog', 'architect');
  await working.say(other, 'split', { children: [{ title: 'Part', body: 'of it' }] });
  await accepted(other);
});

test('an architect called back to a plan is done when it has said what it thinks of it', async () => {
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
  'a report of the %s worker does not finish the phase of an issue that a person moved',
  async (mode, from, to) => {
    const who = await begin(from, mode);
    await working.say(who, 'handoff_write', { summary: 'Criteria.' });
    await working.world.tracker.move(who.issue, to);
    expect(await working.say(who, 'done', DONE)).toMatchObject({ durable: true, accepted: true });
    expect(stateOf(who)).toBe('finished');
    expect(labels(who.issue)).toEqual([]);
  },
);

test('a planner is done with a plan', async () => {
  const who = await begin('Todo', 'plan');
  await refused(who, 'There is no plan');
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  await accepted(who);
});

test.each([
  ['architect', 'Backlog'],
  ['plan', 'Todo'],
] as const)(
  'a report of %s is refused while the workspace is dirty; the scratch folder does not count',
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

test('an implementer is told of scratch files that it committed by force', async () => {
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

test('an implementer is done with a pull request that holds all of its work', async () => {
  const who = await begin('In Progress', 'implement');
  await refused(who, 'There is no pull request: push, then `legion worker pr open`.');
  const path = await working.workspace(who.issue);
  await writeFile(join(path, 'new.txt'), 'not committed\n');
  await refused(who, 'There is no pull request', 'uncommitted changes (new.txt)');
  await working.commit(who.issue, {});
  await working.say(who, 'pr_open', TEXT);
  await git(path, 'checkout', '--quiet', '--detach');
  await working.commit(who.issue, { 'ahead.txt': 'not pushed\n' });
  await refused(who, 'Your workspace stands at', 'push your commits with `legion worker push`');
  await git(path, 'checkout', '--quiet', who.issue);
  await accepted(who);
});

test('a tester is done with a verdict at the head', async () => {
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

test('a red verdict is a finished test phase, marked as what it is', async () => {
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

test('a reviewer is done with its own review at the head', async () => {
  const who = await begin('Needs Review', 'review');
  const { issue } = who;
  const sha = await working.commitToBranch(issue, { 'review.txt': 'work\n' });
  const number = await working.forge.open(issue, { issue, author: 'implementer', ...TEXT, draft: false });
  await working.forge.review(number, { reviewer: 'somebody', verdict: 'approved', sha, text: 'ok' });
  await refused(who, 'You have given no review at the head');
  await working.say(who, 'review', { verdict: 'request-changes', text: 'Not yet.' });
  await accepted(who);
});

test('a retro is done with its handoff and everything pushed, and is then proven at the head', async () => {
  const who = await begin('Retro', 'implement');
  const { issue } = who;
  await working.commit(issue, { 'retro.txt': 'work\n' });
  await working.say(who, 'pr_open', TEXT);
  const note = join(await working.workspace(issue), 'note.md');
  await writeFile(note, 'learnt\n');
  await refused(who, 'There is no handoff of the retro', 'uncommitted changes (note.md)');
  await rm(note);
  const head = await working.commit(issue, { 'docs/solutions/note.md': 'learnt\n' });
  await working.say(who, 'handoff_write', { summary: 'Learnt.' });
  await accepted(who);
  expect(working.record(issue).evidence.retro).toMatchObject({
    sha: head,
    verdict: 'passed',
    by: workerId(issue, 'implement'),
  });
});

test('a merger is done when it is merged, and the journal then knows of the merge', async () => {
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

test('where the proof cannot be read the report is safe, stays, and is judged later', async () => {
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

test('an issue that cannot be read leaves the report waiting and is told as a trouble until it is judged', async () => {
  const who = await begin('Todo', 'plan');
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const apart = openSpeech({ ...working.world, tracker: closed });
  expect(await apart.say(who, 'done', DONE)).toMatchObject({ durable: true });
  expect(stateOf(who)).toBe('reporting');
  expect(working.world.troubles.list()).toMatchObject([{ code: 'tracker.closed' }]);
  expect(await judge(who)).toBe('refused');
  expect(working.world.troubles.list()).toEqual([]);
});

test('two reports at once are one, with one answer', async () => {
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

test('an error ends the attempt without proof and without marks, and counts against the limit', async () => {
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

test('a worker may take its unjudged "done" back with an error', async () => {
  const who = await begin('In Progress', 'implement');
  await working.unreadable(who.issue, () => working.say(who, 'done', DONE));
  expect(stateOf(who)).toBe('reporting');
  expect(await working.say(who, 'error', { summary: 'it was not' })).toMatchObject({ accepted: true });
  expect(working.worker(who)).toMatchObject({ lastReport: 2, report: { outcome: 'error' } });
  expect(stateOf(who)).toBe('stopped');
});

test('a report ends a wait', async () => {
  const who = await begin('Todo', 'plan');
  await working.say(who, 'ask', { question: 'this?' });
  await working.say(who, 'handoff_write', { summary: 'Steps.' });
  await accepted(who, 'user-input-needed');
});

test('a verdict that comes too late for its attempt says nothing about the next one', async () => {
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

test('there is nothing to judge of a worker that has not reported, or is not there', async () => {
  const who = await begin('Todo', 'plan');
  expect(await judge(who)).toBe('nothing_to_judge');
  expect(await judgeReport(working.world, 'nobody-plan')).toBe('nothing_to_judge');
});
