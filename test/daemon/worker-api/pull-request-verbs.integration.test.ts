import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODES } from '../../../src/core/model/mode.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { findPullRequestOrUnknown } from '../../../src/daemon/repositories/read-outside.ts';
import { git } from '../../ports/forge/git.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const TEXT = { title: 'Work', body: 'What was done.' } as const;
const { signal } = new AbortController();

/** Creates an issue in this status with a pull request by its implement worker. */
async function withPullRequest(
  status: Parameters<Working['issue']>[0],
  how: 'commit' | 'commitToBranch' = 'commitToBranch',
) {
  const issue = await working.issue(status);
  const head = await working[how](issue, { [`${issue}.txt`]: 'work\n' });
  const implementer = await working.dispatch(issue, 'implement');
  const { number } = await working.say(implementer, 'pr_open', TEXT);
  return { issue, head, implementer, number };
}

async function found(issue: string) {
  const pullRequest = await findPullRequestOrUnknown(working.world, issue);
  if (typeof pullRequest !== 'object') throw new Error(`the pull request of ${issue} is ${pullRequest}`);
  return pullRequest;
}

test('`push` copies the workspace’s commits to the issue’s branch and requires a workspace', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  expect(await refusal(working.say(who, 'push'))).toMatchObject({ code: 'worker.not_ready' });
  const sha = await working.commit(issue, { 'push.txt': 'pushed\n' });
  for (const _ of ['first', 'again']) {
    expect(await working.say(who, 'push')).toMatchObject({ sha, branch: issue });
  }
  expect(working.wakes.at(-1)).toBe(issue);
});

test('`push` refuses a workspace that is on another branch', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  await working.commit(issue, { 'other.txt': 'other\n' });
  await git(await working.workspace(issue), 'checkout', '--quiet', '-b', 'elsewhere');
  expect(await refusal(working.say(who, 'push'))).toMatchObject({ code: 'forge.workspace_unusable' });
});

test('`pr_open` opens a pull request in the worker’s name, and returns the same one when repeated', async () => {
  const { issue, number, implementer } = await withPullRequest('In Progress');
  expect(await working.say(implementer, 'pr_open', { ...TEXT, title: 'Again' })).toMatchObject({ number });
  expect(await found(issue)).toMatchObject({ author: `${issue.toLowerCase()}-implement`, title: 'Work' });
});

test('`pr_open` requires a branch with commits of its own', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  expect(await refusal(working.say(who, 'pr_open', TEXT))).toMatchObject({ code: 'forge.branch_missing' });
  await working.workspace(issue);
  expect(await refusal(working.say(who, 'pr_open', TEXT))).toMatchObject({ code: 'forge.nothing_to_merge' });
});

test('`pr_edit` and `pr_ready` change the pull request, and fail without one', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  for (const verb of ['pr_edit', 'pr_ready'] as const) {
    const refused = await refusal(working.say(who, verb, verb === 'pr_edit' ? { title: 'New' } : {}));
    expect(refused).toMatchObject({ code: 'worker.not_ready' });
  }
  await working.commitToBranch(issue, { 'draft.txt': 'draft\n' });
  await working.say(who, 'pr_open', { ...TEXT, draft: true });
  expect(await refusal(working.say(who, 'pr_edit', {}))).toMatchObject({ code: 'input.invalid' });
  await working.say(who, 'pr_edit', { body: 'Much more.' });
  expect(await found(issue)).toMatchObject({ draft: true, title: 'Work', body: 'Much more.' });
  await working.say(who, 'pr_ready');
  await working.say(who, 'pr_ready');
  expect(await found(issue)).toMatchObject({ draft: false });
});

test('`verdict` applies to the head commit, and records nothing when repeated', async () => {
  const { issue, head } = await withPullRequest('Testing', 'commit');
  const who = await working.dispatch(issue, 'test');
  const given = { result: 'pass', suites: ['unit', 'e2e'], detail: 'all green' };
  expect(await working.say(who, 'verdict', given)).toMatchObject({ sha: head });
  await working.say(who, 'verdict', given);
  expect(working.record(issue)).toMatchObject({
    lastEvidence: 1,
    evidence: {
      test: { sha: head, verdict: 'passed', by: `${issue.toLowerCase()}-test`, suites: ['unit', 'e2e'] },
    },
  });
  await working.say(who, 'verdict', { result: 'fail', detail: 'one red' });
  expect(working.record(issue).evidence.test).toMatchObject({ verdict: 'failed', detail: 'one red' });
});

test('`verdict` refuses any state of the workspace other than the committed head', async () => {
  const { issue } = await withPullRequest('Testing', 'commit');
  const who = await working.dispatch(issue, 'test');
  const path = await working.workspace(issue);
  await writeFile(join(path, 'app.txt'), 'changed\n');
  const dirty = await refusal(working.say(who, 'verdict', { result: 'pass' }));
  expect(dirty).toMatchObject({ code: 'worker.not_ready', message: expect.stringContaining('app.txt') });
  await git(path, 'checkout', '--quiet', '--', 'app.txt');
  await git(path, 'checkout', '--quiet', '--detach', 'main');
  const elsewhere = await refusal(working.say(who, 'verdict', { result: 'pass' }));
  expect(elsewhere.message).toContain('The workspace is at');
  expect(working.record(issue).evidence.test).toBeUndefined();
});

test('`verdict` requires a readable pull request and a workspace; `review` requires the pull request', async () => {
  const { issue } = await withPullRequest('Testing');
  const tester = await working.dispatch(issue, 'test');
  const reviewer = await working.dispatch(issue, 'review');
  await working.unreadable(issue, async () => {
    expect(await refusal(working.say(tester, 'verdict', { result: 'pass' }))).toMatchObject({
      code: 'worker.not_ready',
    });
    expect(await refusal(working.say(reviewer, 'review', { verdict: 'approve', text: 'ok' }))).toMatchObject({
      code: 'worker.not_ready',
    });
  });
  expect(await refusal(working.say(tester, 'verdict', { result: 'pass' }))).toMatchObject({
    code: 'worker.not_ready',
    message: expect.stringContaining('no workspace'),
  });
});

test('`review` is recorded at the head commit under the reviewer’s own name', async () => {
  const { issue, head, number } = await withPullRequest('Needs Review');
  const who = await working.dispatch(issue, 'review');
  for (const _ of ['first', 'again']) {
    expect(await working.say(who, 'review', { verdict: 'approve', text: 'Good.' })).toMatchObject({
      sha: head,
    });
  }
  expect((await found(issue)).reviews).toMatchObject([
    { reviewer: `${issue.toLowerCase()}-review`, verdict: 'approved', sha: head },
  ]);
  expect(await working.forge.remarks(number, signal)).toHaveLength(1);
});

test('a worker cannot review its own pull request', async () => {
  const issue = await working.issue('Needs Review');
  await working.commitToBranch(issue, { 'own.txt': 'own\n' });
  const author = `${issue}-Review`;
  await working.forge.open(issue, { issue, author, ...TEXT, draft: false });
  const who = await working.dispatch(issue, 'review');
  expect(await refusal(working.say(who, 'review', { verdict: 'approve', text: 'Good.' }))).toMatchObject({
    code: 'forge.own_review',
  });
});

test('a merged pull request cannot be changed', async () => {
  const { issue, head, number, implementer } = await withPullRequest('Needs Review');
  const { baseSha } = await found(issue);
  await working.forge.merge(number, { headSha: head, baseSha });
  const reviewer = await working.dispatch(issue, 'review');
  expect(await refusal(working.say(reviewer, 'review', { verdict: 'approve', text: 'ok' }))).toMatchObject({
    code: 'worker.not_ready',
    message: expect.stringContaining('already merged'),
  });
  expect(await refusal(working.say(implementer, 'pr_edit', { title: 'Late' }))).toMatchObject({
    code: 'worker.not_ready',
  });
});

test('a pull request whose merge was reverted is ignored and cannot be opened again without new work', async () => {
  const { issue, head, number, implementer } = await withPullRequest('In Progress');
  const { baseSha } = await found(issue);
  const { mergedSha } = await working.forge.merge(number, { headSha: head, baseSha });
  await working.world.ledger.append([
    { type: 'merge.landed', issue, merge: 1, pullRequest: number, headSha: head, mergedSha, auto: false },
    { type: 'merge.undone', issue, merge: 1, revert: number + 1, branch: 'revert', by: 'ann' },
  ]);
  expect(await findPullRequestOrUnknown(working.world, issue)).toBe('none');
  expect((await working.say(implementer, 'issue')).pullRequest).toBeNull();
  expect(await refusal(working.say(implementer, 'pr_open', TEXT))).toMatchObject({
    code: 'worker.not_ready',
  });
  await working.commitToBranch(issue, { 'better.txt': 'better\n' });
  expect((await working.say(implementer, 'pr_open', TEXT)).number).toBeGreaterThan(number);
});

test('`plan_review` posts a comment and sets one label, which a later review replaces', async () => {
  const issue = await working.issue('Todo', ['architect-continuity']);
  const who = await working.dispatch(issue, 'architect');
  const objection = { verdict: 'request-changes', text: 'Smaller steps.' };
  for (const _ of ['first', 'again']) await working.say(who, 'plan_review', objection);
  const comments = await working.board.commentsSince(issue, 0, signal);
  expect(comments.map(({ text }) => text)).toEqual([
    'The architect asks for changes to the plan.\n\nSmaller steps.',
  ]);
  expect(working.record(issue).owed).toMatchObject([
    { add: ['arch-review-changes'], remove: ['arch-review-approved'] },
  ]);
  await working.say(who, 'plan_review', { verdict: 'approve', text: 'Good now.' });
  const labels = computeEffectiveLabels(['architect-continuity'], working.world.ledger.state, issue);
  expect([...labels].sort()).toEqual(['arch-review-approved', 'architect-continuity']);
});

test('`plan_review` requires that a review was requested and that the issue is in Todo', async () => {
  for (const issue of [
    await working.issue('Todo'),
    await working.issue('Backlog', ['architect-continuity']),
  ]) {
    const who = await working.dispatch(issue, 'architect');
    const refused = await refusal(working.say(who, 'plan_review', { verdict: 'approve', text: 'ok' }));
    expect(refused.code).toBe('worker.not_ready');
    expect(working.record(issue).owed).toEqual([]);
  }
});

test('`pr_show` shows the text, labels and state of the pull request to every mode', async () => {
  const { issue, head, number, implementer } = await withPullRequest('Needs Review');
  await working.forge.label(number, { add: ['worker-approved'], remove: [] });
  const shown = {
    number,
    state: 'open',
    draft: false,
    title: 'Work',
    body: 'What was done.',
    branch: issue,
    base: 'main',
    headSha: head,
    author: `${issue.toLowerCase()}-implement`,
    review: 'none',
    ci: 'none',
    mergeable: 'mergeable',
    labels: ['worker-approved'],
    additions: 1,
    deletions: 0,
    files: [`${issue}.txt`],
  };
  for (const mode of MODES) {
    const who = mode === 'implement' ? implementer : await working.dispatch(issue, mode);
    expect(await working.say(who, 'pr_show'), mode).toEqual(shown);
  }
});

test('`pr_show` and `ci` report whether the pull request is missing or unreadable', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  for (const verb of ['pr_show', 'ci'] as const) {
    expect(await refusal(working.say(who, verb))).toMatchObject({
      code: 'worker.not_ready',
      message: `${issue} has no pull request yet.`,
    });
    expect(await working.unreadable(issue, () => refusal(working.say(who, verb)))).toMatchObject({
      code: 'worker.not_ready',
      message: 'The pull request cannot be read at the moment.',
    });
  }
});

test('`ci` reports that no check is configured', async () => {
  const { implementer, head, number } = await withPullRequest('In Progress');
  expect(await working.say(implementer, 'ci')).toEqual({
    number,
    sha: head,
    status: 'none',
    checks: [],
    says: 'No check is configured for this pull request.',
  });
});
