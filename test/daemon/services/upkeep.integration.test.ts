import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gcAnswer, rollbackAnswer } from '../../../src/protocol/operator.ts';
import { repositoryCommandsSchema } from '../../../src/protocol/repository.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

const { signal } = new AbortController();
let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion({ '.legion/config.yml': 'commands: { quality_gate: [npm, test] }\n' });
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

test('`rollback` opens a pull request that reverts the merge, and reopens the issue with a label', async () => {
  const { issue, number, mergedSha, headSha } = await merged(['auto-merged']);
  await legion.append(
    { type: 'merge.landed', issue, merge: 1, pullRequest: number, headSha, mergedSha, auto: true },
    { type: 'round.counted', issue, reason: 'merge', generation: 0, count: 1 },
  );
  expect(await desk.gates(issue)).toMatchObject({ headSha, verdict: 'pass', preMerge: [{ name: 'merged' }] });
  const answer = await desk.rollback(issue, 'ada');
  expect(rollbackAnswer.parse(answer)).toEqual(answer);
  expect(await revertAt(answer.branch)).toMatchObject({
    number: answer.pullRequest,
    state: 'open',
    author: 'ada',
  });
  const { issue: now, comments } = await legion.desks.issues.show(issue);
  expect(now).toMatchObject({ status: 'Todo', labels: ['needs-approval', 'rollback'] });
  expect(comments).toMatchObject([
    { author: 'ada', text: expect.stringContaining(`pull request ${answer.pullRequest}`) },
  ]);
  const record = legion.world.ledger.state.issues.get(issue);
  expect(record).toMatchObject({ rounds: {}, merged: { undone: { by: 'ada', revert: answer.pullRequest } } });
  expect((await desk.explain(issue)).state).toMatchObject({
    suggestedAction: 'skip',
    reason: 'waits_for_approval',
  });
  await expectSameWords(issue, 'until that pull request is merged');
  const { pullRequest: revert } = answer;
  await legion.append({
    type: 'revert.landed',
    issue,
    revert,
    mergedSha: headSha,
    by: 'ada',
    forced: false,
  });
  await expectSameWords(issue, 'main no longer contains it');

  // Repeating the rollback changes nothing and returns the same pull request.
  await legion.desks.issues.move(issue, 'In Progress');
  const { version } = legion.world.ledger;
  expect(await desk.rollback(issue, 'bob')).toMatchObject({
    pullRequest: answer.pullRequest,
    branch: answer.branch,
  });
  expect(legion.world.ledger.version).toBe(version);
  expect(await legion.desks.issues.show(issue)).toMatchObject({
    issue: { status: 'In Progress' },
    comments: [{ author: 'ada' }],
  });
});

/** Expects that `explain` and the inbox use the same text. */
async function expectSameWords(issue: string, words: string): Promise<void> {
  const { state } = await desk.explain(issue);
  const item = (await desk.inbox()).find((each) => each.issue === issue && each.kind === 'approval');
  expect(state.says).toContain(words);
  expect([state.says, state.until.next]).toEqual([item?.text, item?.next]);
}

test('`rollback` reverts a merge that is recorded only on the forge, even if the base has moved and the first try was interrupted', async () => {
  const { issue, number } = await merged();
  legion.commitToBase({ 'other.txt': 'later\n' });
  const cut = await legion.world.repositories.require(issue).forge.revert(number, { issue, author: 'ada' });
  const answer = await desk.rollback(issue, 'ada');
  expect(answer).toMatchObject({ pullRequest: cut.number, branch: cut.branch });
  expect(await revertAt(answer.branch)).toMatchObject({ state: 'open', changedFiles: [`${issue}.txt`] });
  expect(legion.world.ledger.state.issues.get(issue)?.merged).toMatchObject({
    pullRequest: number,
    auto: false,
  });
  expect((await legion.desks.issues.show(issue)).issue).toMatchObject({
    status: 'Todo',
    labels: ['needs-approval', 'rollback'],
  });
});

test('`rollback` refuses an issue that was never merged', async () => {
  const issue = await legion.issue('Retro');
  await expect(desk.rollback(issue, 'ada')).rejects.toMatchObject({ code: 'rollback.not_merged' });
  await legion.pullRequest(issue);
  await expect(desk.rollback(issue, 'ada')).rejects.toMatchObject({ code: 'rollback.not_merged' });
  await expect(desk.rollback('DEMO-999', 'ada')).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
});

test('`gc` removes workspaces of issues that are finished or no longer exist, and keeps workspaces that are in use or contain work', async () => {
  const { workspaces } = legion.world;
  const [working, holding] = [await legion.issue('In Progress'), await legion.issue('Done')];
  for (const issue of [working, holding, 'GONE-1']) await workspaces.ensure(issue, legion.repository);
  const held = await workspaces.find(holding);
  writeFileSync(join(held?.path ?? '', 'notes.txt'), 'mine');
  const first = await desk.gc();
  expect(gcAnswer.parse(first)).toEqual(first);
  expect(first).toMatchObject({
    removed: ['GONE-1'],
    kept: [{ issue: holding, why: expect.stringContaining('notes.txt') }],
  });
  await legion.desks.issues.close(working);
  await legion.dispatched(working, 'merge');
  const second = await desk.gc();
  expect(second.removed).toEqual([]);
  expect(second.kept).toContainEqual({ issue: working, why: `${working.toLowerCase()}-merge is spawned` });
  await legion.finished(working, 'merge');
  expect((await desk.gc()).removed).toEqual([working]);
});

test('the repository’s commands wait in the inbox until a person approves exactly the displayed version', async () => {
  const [shown] = await desk.repositoryCommands();
  if (shown === undefined) throw new Error('no repository is shown');
  expect(repositoryCommandsSchema.parse(shown)).toMatchObject({
    repo: 'repository',
    approved: false,
    commands: { quality_gate: ['npm', 'test'] },
  });
  expect(await commandsInInbox()).toMatchObject([{ issue: null, text: 'quality_gate: npm test' }]);
  const approve = (fingerprint: string, repo = 'repository') =>
    desk.approveCommands(repo, fingerprint, 'ada');
  await expect(approve('another')).rejects.toMatchObject({ code: 'commands.changed' });
  await expect(approve(shown.fingerprint, 'other')).rejects.toMatchObject({ code: 'repository.missing' });
  expect((await approve(shown.fingerprint)).says).toContain('approved the commands of');
  expect((await approve(shown.fingerprint)).says).toContain('already');
  expect(await commandsInInbox()).toEqual([]);
});

async function merged(labels: readonly string[] = []) {
  const issue = await legion.issue('Retro', labels);
  const { number } = await legion.pullRequest(issue);
  const { forge } = legion.world.repositories.require(issue);
  const found = (await forge.pullRequests([issue], signal)).get(issue);
  if (typeof found !== 'object') throw new Error('the pull request cannot be read');
  const { headSha, baseSha } = found;
  const { mergedSha } = await forge.merge(number, { headSha, baseSha });
  await legion.desks.issues.move(issue, 'Done');
  return { issue, number, headSha, mergedSha };
}

async function revertAt(branch: string) {
  return (await legion.world.repositories.require(branch).forge.pullRequests([branch], signal)).get(branch);
}

async function commandsInInbox() {
  return (await desk.inbox()).filter(({ kind }) => kind === 'commands');
}
