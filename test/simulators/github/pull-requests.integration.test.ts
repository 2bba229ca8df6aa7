/**
 * Checks pull requests on real git: their changes, who may review and merge them, and what prevents
 * a merge.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, type Stage, stage } from './simulated-github.ts';

afterEach(closeStages);

const FIELDS = `id number state isDraft headRefOid baseRefOid mergeable mergeStateStatus additions deletions changedFiles
  files(first: 10) { nodes { path changeType } }
  reviewDecision latestOpinionatedReviews(first: 10, writersOnly: true) { nodes { state author { login } commit { oid } } }
  closingIssuesReferences(first: 5) { nodes { number } }
  commits(last: 1) { totalCount nodes { commit { oid statusCheckRollup { state
    contexts(first: 10) { nodes { __typename ... on CheckRun { name conclusion } ... on StatusContext { context state } } } } } } }
  mergeCommit { oid }`;

async function read(it: Stage, number: number) {
  const query = `query($number: Int!) { repository(owner: "acme", name: "app") { id pullRequest(number: $number) { ${FIELDS} } } }`;
  const { data, errors } = await it.graphql(query, { number });
  expect(errors).toEqual([]);
  return data.repository.pullRequest;
}

/** Creates a branch with one commit, pushed by real git. */
async function branch(
  it: Stage,
  name: string,
  files: Record<string, string>,
  from = 'origin/main',
): Promise<string> {
  const folder = it.folder();
  await it.git(folder, 'clone', '--quiet', it.remote(), '.');
  await it.git(folder, 'checkout', '--quiet', '-B', name, from);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  await it.git(folder, 'add', '--all');
  await it.git(folder, 'commit', '--quiet', '-m', `Write ${name}`);
  await it.git(folder, 'push', '--quiet', '--force', 'origin', name);
  return folder;
}

const opened = (it: Stage, head: string, body = '') =>
  it.github.people.pullRequest('ada', REPO, { head, title: `Do ${head}`, body });

test('mergeability is unknown at first, then computed, and unknown again after a push', async () => {
  const it = await stage();
  const folder = await branch(it, 'work', { 'a.txt': 'one and more\n' });
  const number = await opened(it, 'work');
  expect(await read(it, number)).toMatchObject({ mergeable: 'UNKNOWN', mergeStateStatus: 'UNKNOWN' });
  expect(await read(it, number)).toMatchObject({ mergeable: 'MERGEABLE', mergeStateStatus: 'CLEAN' });
  await it.git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Again');
  await it.git(folder, 'push', '--quiet', 'origin', 'work');
  expect(await read(it, number)).toMatchObject({ mergeable: 'UNKNOWN' });
  expect(await read(it, number)).toMatchObject({
    mergeable: 'MERGEABLE',
    headRefOid: await it.git(folder, 'rev-parse', 'HEAD'),
  });
});

test('a conflict with the base is reported, and prevents a merge', async () => {
  const it = await stage();
  await branch(it, 'one', { 'a.txt': 'mine\n' });
  await branch(it, 'two', { 'a.txt': 'theirs\n' });
  const first = await opened(it, 'one');
  const second = await opened(it, 'two');
  await it.github.people.merge('bob', REPO, first);
  await read(it, second);
  expect(await read(it, second)).toMatchObject({ mergeable: 'CONFLICTING', mergeStateStatus: 'DIRTY' });
  await expect(it.github.people.merge('bob', REPO, second)).rejects.toThrow('not mergeable');
});

test('if the base is newer, changes to other files do not conflict, changes to the same lines do, and renames are followed', async () => {
  const it = await stage();
  const long = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  await branch(it, 'long', { 'long.txt': long });
  await it.github.people.merge('bob', REPO, await opened(it, 'long'));
  await branch(it, 'apart', { 'c.txt': 'new\n' });
  await branch(it, 'same', { 'a.txt': 'mine\n' });
  await branch(it, 'inside', { 'long.txt': long.replace('line 3', 'LINE 3') });
  const numbers = [];
  for (const head of ['apart', 'same', 'inside']) numbers.push(await opened(it, head));
  const folder = await branch(it, 'base', { 'a.txt': 'theirs\n' });
  await it.git(folder, 'mv', 'long.txt', 'longer.txt');
  await it.git(folder, 'commit', '--quiet', '-m', 'Rename');
  await it.git(folder, 'push', '--quiet', 'origin', 'base');
  await it.github.people.merge('bob', REPO, await opened(it, 'base'));
  it.github.faults.unknownMergeability(0);
  for (const number of numbers) await read(it, number);
  const told = await Promise.all(numbers.map(async (number) => (await read(it, number)).mergeable));
  expect(told).toEqual(['MERGEABLE', 'CONFLICTING', 'MERGEABLE']);
});

test('size and files are computed from the merge base, and a renamed file has its new name', async () => {
  const it = await stage();
  const folder = await branch(it, 'work', { 'c.txt': 'new\n' });
  renameSync(join(folder, 'b.txt'), join(folder, 'd.txt'));
  await it.git(folder, 'add', '--all');
  await it.git(folder, 'commit', '--quiet', '-m', 'Rename');
  await it.git(folder, 'push', '--quiet', 'origin', 'work');
  const number = await opened(it, 'work');
  expect(await read(it, number)).toMatchObject({
    additions: 1,
    deletions: 0,
    changedFiles: 2,
    files: {
      nodes: [
        { path: 'c.txt', changeType: 'ADDED' },
        { path: 'd.txt', changeType: 'RENAMED' },
      ],
    },
    commits: { totalCount: 2 },
  });
  const { body } = await it.rest(`GET /repos/acme/app/pulls/${number}/files`);
  expect(body).toMatchObject([
    { filename: 'c.txt' },
    { filename: 'd.txt', previous_filename: 'b.txt', status: 'renamed' },
  ]);
  const { body: compared } = await it.rest('GET /repos/acme/app/compare/main...work');
  expect(compared).toMatchObject({ status: 'ahead', ahead_by: 2, behind_by: 0 });
});

test('authors cannot approve their own pull request, and a branch cannot have two pull requests', async () => {
  const it = await stage();
  await branch(it, 'work', { 'a.txt': 'mine\n' });
  const number = await opened(it, 'work');
  const { id } = await read(it, number);
  const review = `mutation($id: ID!, $event: PullRequestReviewEvent!) {
    addPullRequestReview(input: { pullRequestId: $id, event: $event, body: "So it is" }) { pullRequestReview { state } } }`;
  const own = await it.graphql(review, { id, event: 'APPROVE' });
  expect(own.errors).toMatchObject([
    { type: 'UNPROCESSABLE', message: 'Can not approve your own pull request' },
  ]);
  const bob = await it.graphql(review, { id, event: 'APPROVE' }, it.github.people.token('bob'));
  expect(bob.data.addPullRequestReview.pullRequestReview.state).toBe('APPROVED');
  const eve = await it.graphql(review, { id, event: 'REQUEST_CHANGES' }, it.github.people.token('eve'));
  expect(eve.errors).toEqual([]);
  const { latestOpinionatedReviews, headRefOid } = await read(it, number);
  expect(latestOpinionatedReviews.nodes).toEqual([
    { state: 'APPROVED', author: { login: 'bob' }, commit: { oid: headRefOid } },
  ]);
  await expect(opened(it, 'work')).rejects.toThrow('A pull request already exists for acme:work.');
});

test('a merge requires the expected head, obeys branch protection, and closes the issues that the pull request fixes', async () => {
  const it = await stage();
  const { people, checks } = it.github;
  people.issue(REPO, { author: 'eve', title: 'Broken' });
  people.protect(REPO, 'main', { requiredChecks: ['test'], requiredApprovals: 1 });
  await branch(it, 'work', { 'a.txt': 'mine\n' });
  const number = await opened(it, 'work', 'Fixes #1');
  const { id, headRefOid, closingIssuesReferences } = await read(it, number);
  expect(closingIssuesReferences.nodes).toEqual([{ number: 1 }]);
  const merge = (head: string) =>
    it.graphql(
      `mutation($id: ID!, $head: GitObjectID!) { mergePullRequest(input: {
        pullRequestId: $id, expectedHeadOid: $head, mergeMethod: SQUASH }) { pullRequest { state mergeCommit { oid } } } }`,
      { id, head },
    );
  expect((await merge('0'.repeat(40))).errors[0]?.message).toMatch(/^Head branch was modified/);
  expect((await merge(headRefOid)).errors[0]?.message).toMatch(/approving review is required/);
  await people.review('bob', REPO, number, 'APPROVED');
  expect(await read(it, number)).toMatchObject({ mergeStateStatus: 'BLOCKED', reviewDecision: 'APPROVED' });
  expect((await merge(headRefOid)).errors[0]?.message).toMatch(/check "test" is expected/);
  checks.run(REPO, headRefOid, { name: 'test', conclusion: 'SUCCESS' });
  checks.status(REPO, headRefOid, 'legacy', 'PENDING');
  expect(await read(it, number)).toMatchObject({
    mergeStateStatus: 'UNSTABLE',
    commits: { nodes: [{ commit: { statusCheckRollup: { state: 'PENDING' } } }] },
  });
  const { data, errors } = await merge(headRefOid);
  expect(errors).toEqual([]);
  expect(data.mergePullRequest.pullRequest.state).toBe('MERGED');
  expect(it.github.snapshot().issues).toMatchObject([{ state: 'CLOSED' }]);
  expect(await it.git(people.folder(REPO), 'rev-parse', 'main')).toBe(
    data.mergePullRequest.pullRequest.mergeCommit.oid,
  );
});

test('a revert of a merged pull request gets its own branch, and fails if the base changed the same lines', async () => {
  const it = await stage();
  const revert = `mutation($id: ID!) { revertPullRequest(input: { pullRequestId: $id }) { revertPullRequest { number headRefName } } }`;
  await branch(it, 'one', { 'a.txt': 'mine\n' });
  const first = await opened(it, 'one');
  await it.github.people.merge('bob', REPO, first);
  const reverted = await it.graphql(revert, { id: (await read(it, first)).id });
  expect(reverted.data.revertPullRequest.revertPullRequest).toEqual({
    number: 2,
    headRefName: 'revert-1-one',
  });
  await branch(it, 'two', { 'a.txt': 'changed again\n' });
  await it.github.people.merge('bob', REPO, await opened(it, 'two'));
  await branch(it, 'three', { 'b.txt': 'other\n' });
  const again = await it.graphql(revert, { id: (await read(it, first)).id });
  expect(again.errors[0]?.message).toContain('reverted automatically');
});

test('a draft cannot be merged until it is ready, and deleting a branch closes its pull request', async () => {
  const it = await stage();
  const folder = await branch(it, 'work', { 'a.txt': 'mine\n' });
  const { people } = it.github;
  const number = await people.pullRequest('ada', REPO, {
    head: 'work',
    title: 'Work',
    body: '',
    draft: true,
  });
  await expect(people.merge('bob', REPO, number)).rejects.toThrow('still a draft');
  const { id } = await read(it, number);
  await it.graphql(
    'mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }',
    { id },
  );
  expect(await read(it, number)).toMatchObject({ isDraft: false, state: 'OPEN' });
  await it.git(folder, 'push', '--quiet', 'origin', ':work');
  expect(await read(it, number)).toMatchObject({ state: 'CLOSED' });
});
