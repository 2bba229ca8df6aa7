import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rollbackAnswer } from '../../../src/protocol/merging.ts';
import { repositoryCommandsSchema } from '../../../src/protocol/operator.ts';
import { gcAnswer } from '../../../src/protocol/upkeep.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

const { signal } = new AbortController();
let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion({ '.legion/config.yml': 'commands: { quality_gate: [npm, test] }\n' });
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

test('undoes a merge by a pull request, and the issue is open again with a mark', async () => {
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
  const record = legion.world.ledger.swarm.issues.get(issue);
  expect(record).toMatchObject({ rounds: {}, merged: { undone: { by: 'ada', revert: answer.pullRequest } } });
  expect((await desk.explain(issue)).state).toMatchObject({
    suggestedAction: 'skip',
    reason: 'waits_for_approval',
  });
  await expectSameWords(issue, 'until that is merged');
  const { pullRequest: revert } = answer;
  await legion.append({
    ...{ type: 'revert.landed', issue, revert, mergedSha: headSha, by: 'ada', forced: false },
  });
  await expectSameWords(issue, 'main no longer contains it');

  // The same again changes nothing and names the same pull request.
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

/** `explain` says what the inbox says. */
async function expectSameWords(issue: string, words: string): Promise<void> {
  const { state } = await desk.explain(issue);
  const item = (await desk.inbox()).find((each) => each.issue === issue && each.kind === 'approval');
  expect(state.says).toContain('The change was rolled back');
  expect(state.says).toContain(words);
  expect([state.says, state.until.next]).toEqual([item?.text, item?.next]);
}

test('a merge that only the forge knows of is undone too, also when the base has moved on and the first try was cut short', async () => {
  const { issue, number } = await merged();
  legion.commitToBase({ 'other.txt': 'later\n' });
  const cut = await legion.world.repositories.of(issue).forge.revert(number, { issue, author: 'ada' });
  const answer = await desk.rollback(issue, 'ada');
  expect(answer).toMatchObject({ pullRequest: cut.number, branch: cut.branch });
  expect(await revertAt(answer.branch)).toMatchObject({ state: 'open', changedFiles: [`${issue}.txt`] });
  expect(legion.world.ledger.swarm.issues.get(issue)?.merged).toMatchObject({
    pullRequest: number,
    auto: false,
  });
  expect((await legion.desks.issues.show(issue)).issue).toMatchObject({
    status: 'Todo',
    labels: ['needs-approval', 'rollback'],
  });
});

test('what was never merged cannot be rolled back', async () => {
  const issue = await legion.issue('Retro');
  await expect(desk.rollback(issue, 'ada')).rejects.toMatchObject({ code: 'rollback.not_merged' });
  await legion.pullRequest(issue);
  await expect(desk.rollback(issue, 'ada')).rejects.toMatchObject({ code: 'rollback.not_merged' });
  await expect(desk.rollback('DEMO-999', 'ada')).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
});

test('gc removes workspaces of issues that are over or gone, and keeps what holds work or is in use', async () => {
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

test('the repository’s commands wait in the inbox until exactly what was shown is approved', async () => {
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
  const { forge } = legion.world.repositories.of(issue);
  const found = (await forge.pullRequests([issue], signal)).get(issue);
  if (typeof found !== 'object') throw new Error('the pull request cannot be read');
  const { headSha, baseSha } = found;
  const { mergedSha } = await forge.merge(number, { headSha, baseSha });
  await legion.desks.issues.move(issue, 'Done');
  return { issue, number, headSha, mergedSha };
}

async function revertAt(branch: string) {
  return (await legion.world.repositories.of(branch).forge.pullRequests([branch], signal)).get(branch);
}

async function commandsInInbox() {
  return (await desk.inbox()).filter(({ kind }) => kind === 'commands');
}
