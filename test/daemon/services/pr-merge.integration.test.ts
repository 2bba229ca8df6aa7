/**
 * Tests merges of pull requests at an operator's request, with real git, real CI processes and a
 * real journal.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { executeMerge } from '../../../src/daemon/merging/carry-out-merge.ts';
import { settleMerges } from '../../../src/daemon/merging/settle-merges.ts';
import { mergePullRequest } from '../../../src/daemon/services/operator/merge-pull-request.ts';
import { mergeAnswer, rollbackAnswer } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { type DeskLegion, deskLegion } from './legion.ts';
import { mergingIn } from './merging.ts';

let legion: DeskLegion;
let merging: ReturnType<typeof mergingIn>;
beforeAll(async () => {
  legion = await deskLegion();
  merging = mergingIn(legion);
});
afterEach(async () => {
  merging.releaseCi();
  await legion.desks.operator.resume(undefined, 'ada').catch(() => undefined);
});
afterAll(() => legion.close());

test('a rollback says that the base still contains the change, and merging the revert removes it', async () => {
  await merging.configureCi();
  const { issue, number } = await merging.merged();
  merging.holdCi();
  const rolledBack = await legion.desks.operator.rollback(issue, 'ada');
  expect(rollbackAnswer.parse(rolledBack)).toEqual(rolledBack);
  const revert = rolledBack.pullRequest;
  expect(rolledBack).toMatchObject({ base: 'main', state: 'open' });
  expect(rolledBack.says).toContain('main still contains the change');
  expect(rolledBack.says).toContain(`\`legion pr merge ${revert}\``);
  expect(rolledBack.says).not.toContain('undone');
  expect(await merging.lastComment(issue)).toContain(`main contains the change until the revert is merged`);
  expect(await merging.filesOnBase()).toContain(`${issue}.txt`);
  expect((await legion.desks.issues.show(issue)).revert).toEqual({ number: revert, state: 'open' });
  const item = (await legion.desks.operator.inbox()).find((each) => each.issue === issue);
  expect(item).toMatchObject({
    approves: 'restart',
    text: expect.stringContaining(`Pull request ${revert} reverts the change`),
    next: `legion pr merge ${revert}; then legion approve ${issue}`,
  });
  const { enteredStatusAt } = (await legion.world.tracker.read(issue, AbortSignal.timeout(5_000))) ?? {};
  expect(item?.since).toBeGreaterThanOrEqual(enteredStatusAt ?? Number.POSITIVE_INFINITY);

  await expect(merge(revert)).rejects.toMatchObject({
    code: 'pr.ci_not_green',
    message: expect.stringContaining('still running'),
    fault: { next: expect.stringContaining('--force') },
  });
  expect(await merging.filesOnBase()).toContain(`${issue}.txt`);
  merging.releaseCi();
  await merging.ciEnds(rolledBack.branch, 'passing');
  const done = await merge(revert);
  expect(mergeAnswer.parse(done)).toEqual(done);
  expect(done).toMatchObject({ issue, base: 'main', reverts: number, forced: false });
  expect(done.mergedSha).toBe(await git(legion.repository, 'rev-parse', 'main'));
  expect(done.says).toContain(`merged into main as ${done.mergedSha}: main no longer contains the change`);
  expect(await merging.filesOnBase()).not.toContain(`${issue}.txt`);
  expect(await merging.lastComment(issue)).toBe(
    `ada merged pull request ${revert} into main as ${done.mergedSha}.`,
  );
  expect((await legion.desks.issues.show(issue)).revert).toEqual({ number: revert, state: 'merged' });
  expect((await legion.desks.operator.explain(issue)).history.map(({ what }) => what)).toContain(
    `ada merged the revert, pull request ${revert}, as ${done.mergedSha.slice(0, 12)}`,
  );

  expect((await legion.desks.operator.rollback(issue, 'ada')).says).toContain(
    'no longer contains the change',
  );
  await expect(merge(revert)).rejects.toMatchObject({
    code: 'pr.merged',
    message: expect.stringContaining(done.mergedSha),
  });
});

test('a revert with red CI can be merged only by force, and the journal records that force was used', async () => {
  await merging.configureCi();
  const { issue } = await merging.merged();
  const { pullRequest: revert, branch } = await legion.desks.operator.rollback(issue, 'ada');
  await merging.commitOn(branch, 'red.txt');
  await merging.ciEnds(branch, 'failing');
  await expect(merge(revert)).rejects.toMatchObject({
    code: 'pr.ci_not_green',
    message: expect.stringMatching(/fails: ci\n[\s\S]*three tests failed/),
  });
  const done = await merge(revert, { force: true });
  expect(done).toMatchObject({ forced: true, says: expect.stringContaining('--force') });
  const events = await merging.eventsOf(issue);
  expect(events.findLast(({ type }) => type === 'merge.begun')).toMatchObject({
    by: 'ada',
    actor: 'operator',
    forced: true,
    preMerge: [{ name: 'ci_green', verdict: 'fail', evidence: 'ci=failing' }, { name: 'mergeable' }],
  });
  expect(events.at(-1)).toMatchObject({ type: 'revert.landed', by: 'ada', forced: true });
  expect(await merging.lastComment(issue)).toContain('with --force');
  await git(legion.repository, 'update-ref', 'refs/heads/main', 'main^');
});

test('a revert without CI can be merged only by force', async () => {
  await merging.configureCi(false);
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  await expect(merge(pullRequest)).rejects.toMatchObject({
    code: 'pr.ci_not_green',
    message: `repository has no CI, so nothing has checked pull request ${pullRequest}.`,
  });
  expect(await merge(pullRequest, { force: true })).toMatchObject({ forced: true });
});

test('refuses a conflicting revert even by force, lists the files and changes nothing', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  legion.commitToBase({ [`${issue}.txt`]: 'changed since\n' });
  const before = await git(legion.repository, 'rev-parse', 'main');
  for (const force of [false, true])
    await expect(merge(pullRequest, { force })).rejects.toMatchObject({
      code: 'forge.conflict',
      message: expect.stringContaining(`${issue}.txt`),
    });
  expect(await git(legion.repository, 'rev-parse', 'main')).toBe(before);
  expect((await merging.eventsOf(issue)).at(-1)).toMatchObject({
    type: 'merge.failed',
    why: expect.stringContaining('conflicts'),
  });
});

test('if uncommitted changes block a revert, lists them and their directory and merges nothing', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  await git(legion.repository, 'checkout', '--quiet', 'main');
  try {
    const file = join(legion.repository, `${issue}.txt`);
    writeFileSync(file, 'mine\n');
    await expect(merge(pullRequest, { force: true })).rejects.toMatchObject({
      code: 'forge.base_in_use',
      message: expect.stringMatching(new RegExp(`${legion.repository}: .*${issue}\\.txt`)),
    });
    expect(await merging.filesOnBase()).toContain(`${issue}.txt`);
    await git(legion.repository, 'checkout', '--quiet', '--', `${issue}.txt`);
    await merge(pullRequest, { force: true });
    expect(await merging.filesOnBase()).not.toContain(`${issue}.txt`);
  } finally {
    await git(legion.repository, 'checkout', '--quiet', '--detach');
  }
});

test('the pull request of an unfinished issue has to pass its gate, even with force', async () => {
  const issue = await legion.issue('Needs Review');
  const { number } = await legion.pullRequest(issue);
  for (const force of [false, true])
    await expect(merge(number, { force })).rejects.toMatchObject({
      code: 'pr.gate_closed',
      message: expect.stringMatching(/in_retro is fail .*review_approved is fail .*tests_passed is fail/),
    });
  await expect(merge(number, { force: true })).rejects.toThrow('--force skips CI only for a revert');
  expect((await merging.eventsOf(issue)).map(({ type }) => type)).not.toContain('merge.begun');
});

test('an operator who merges an issue that passes its gate thereby approves it, and the gate results are recorded', async () => {
  const { issue, number, head } = await merging.ready();
  await legion.desks.operator.halt('ada', 'look at it');
  await expect(merge(number)).rejects.toMatchObject({
    code: 'pr.held',
    message: expect.stringContaining('halted by ada: look at it'),
  });
  await legion.desks.operator.resume(undefined, 'ada');
  await legion.desks.operator.pause(issue, 'ada', 'not yet');
  await expect(merge(number)).rejects.toMatchObject({
    code: 'pr.gate_closed',
    message: expect.stringContaining('not_paused is fail'),
  });
  await legion.desks.operator.resume(issue, 'ada');
  const done = await merge(number);
  expect(done).toMatchObject({ issue, mergedSha: await git(legion.repository, 'rev-parse', 'main') });
  expect(done.says).toContain(`${issue} moves to Done`);
  expect((await merging.eventsOf(issue)).findLast(({ type }) => type === 'merge.landed')).toMatchObject({
    headSha: head,
    auto: false,
    by: 'ada',
  });
  const gates = await legion.desks.operator.gates(issue);
  expect(gates.merged).toMatchObject({ by: 'ada', mergedSha: done.mergedSha });
  expect(gates.preMerge).toContainEqual({ name: 'approved', verdict: 'pass', evidence: 'merged by ada' });
});

test('a halted legion can still merge a revert', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  await legion.desks.operator.halt('ada', 'it is on fire');
  await merge(pullRequest, { force: true });
  expect(await merging.filesOnBase()).not.toContain(`${issue}.txt`);
});

test('refuses an unknown number, a number that exists in several repositories, and an unknown repository', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  await expect(merge(999)).rejects.toMatchObject({ code: 'forge.pull_request_missing' });
  await expect(merge(pullRequest, { repo: 'elsewhere' })).rejects.toMatchObject({
    code: 'input.invalid',
    message: 'Unknown repository "elsewhere". Valid: repository.',
  });
  const { world: context } = legion;
  const only = context.repositories.require(issue);
  const all = [only, { ...only, name: 'second' }];
  const two = { ...context, repositories: { ...context.repositories, all } };
  const request = { number: pullRequest, by: 'ada', force: true };
  await expect(mergePullRequest(two, request)).rejects.toMatchObject({
    code: 'pr.ambiguous',
    message: `Several repositories have a pull request ${pullRequest}: repository, second.`,
  });
  expect(await mergePullRequest(two, { ...request, repo: 'repository' })).toMatchObject({ issue });
});

test('refuses a closed pull request', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  await legion.world.repositories.require(issue).forge.abandon(pullRequest);
  await expect(merge(pullRequest, { force: true })).rejects.toMatchObject({ code: 'forge.not_open' });
});

test('refuses to approve a rolled-back issue until its revert is merged', async () => {
  const { issue } = await merging.merged();
  const { pullRequest, says } = await legion.desks.operator.rollback(issue, 'ada');
  expect(says).toContain(`\`legion approve ${issue}\` starts the work again once the revert is merged.`);
  await expect(legion.desks.operator.approve(issue, { by: 'ada', through: 'cli' })).rejects.toMatchObject({
    code: 'approval.revert_open',
    message: expect.stringMatching(
      new RegExp(`main still contains the change\\. Merge it first: \`legion pr merge ${pullRequest}\``),
    ),
  });
  expect((await legion.desks.issues.show(issue)).issue.labels).not.toContain('human-approved');
  await merge(pullRequest, { force: true });
  expect(await legion.desks.operator.approve(issue, { by: 'ada', through: 'cli' })).toMatchObject({
    approval: { subject: 'restart' },
    says: `A new start of ${issue} is approved. It continues.`,
  });
});

test.each([
  ['adds the label human-approved', 'Todo'],
  ['moves the issue', 'In Progress'],
] as const)('starts no work while the revert is open, even if a person %s', async (_how, status) => {
  const { control, desks } = legion;
  const { issue } = await merging.merged();
  const { pullRequest } = await desks.operator.rollback(issue, 'ada');
  if (status === 'Todo') await desks.issues.label(issue, { add: ['human-approved'], remove: [] });
  else await desks.issues.move(issue, status);
  const { commands, decisions } = await control.advance(issue);
  expect(commands).toEqual([]);
  expect(decisions).toMatchObject([{ action: 'skip', reason: 'revert_open' }]);
  const [item, ...others] = (await desks.operator.inbox()).filter((each) => each.issue === issue);
  expect(others).toEqual([]);
  expect(item?.next).toMatch(new RegExp(`^legion pr merge ${pullRequest}`));
  if (status === 'Todo') expect(item?.text).toContain(`Until then, no work starts on ${issue}.`);
  expect((await desks.operator.explain(issue)).state).toMatchObject({
    says: expect.stringMatching(
      new RegExp(`while its revert is open\\. Pull request ${pullRequest} reverts the change`),
    ),
    until: { by: 'person', next: `legion pr merge ${pullRequest}` },
  });
  const { cards } = await desks.dashboard.board({});
  expect(cards.find(({ id }) => id === issue)).toMatchObject({ needsYou: true });

  await merge(pullRequest, { force: true });
  expect((await control.preview(issue)).decisions[0]?.action).toBe(
    status === 'Todo' ? 'transition_to_todo' : 'dispatch_implementer',
  );
});

test('notices that a person merged the revert on the forge', async () => {
  const { control, desks, world: context } = legion;
  const { issue } = await merging.merged();
  const { pullRequest, branch } = await desks.operator.rollback(issue, 'ada');
  await desks.issues.label(issue, { add: ['human-approved'], remove: [] });
  const { headSha, baseSha } = await merging.read(branch);
  await context.repositories.require(issue).forge.merge(pullRequest, { headSha, baseSha });
  const { decisions } = await control.advance(issue);
  expect(decisions.map(({ reason }) => reason)).not.toContain('revert_open');
  expect(context.ledger.state.issues.get(issue)?.merged?.undone?.landed).toMatchObject({
    by: 'a person on the forge',
    forced: false,
  });
  await legion.leave();
});

test('a revert that was closed without being merged is reported everywhere', async () => {
  const { control, desks, repository } = legion;
  const { issue } = await merging.merged();
  const { pullRequest, branch } = await desks.operator.rollback(issue, 'ada');
  const cardOf = async () => (await desks.dashboard.board({})).cards.find(({ id }) => id === issue);
  const summaryOf = async () => (await desks.operator.status({})).issues.find(({ id }) => id === issue);
  await control.advance(issue);
  // Has the same effect as another read of the whole board.
  legion.world.boardView.replaceAll(legion.world.boardView.all);
  const open = `Pull request ${pullRequest} reverts the change, but main still contains the change until that pull request is merged`;
  expect((await cardOf())?.waits?.says).toContain(open);
  expect((await summaryOf())?.says).toContain(open);

  await git(repository, 'branch', '--quiet', '-D', branch);
  const closed = `pull request ${pullRequest}) was closed: main still contains the change`;
  expect((await summaryOf())?.says).toContain(closed);
  await control.reconcile(issue);
  expect((await cardOf())?.waits?.says).toContain(closed);
  expect((await desks.issues.show(issue)).revert).toMatchObject({ number: pullRequest, state: 'closed' });
  expect((await desks.operator.ci(issue, { lines: 1 })).says).toContain(
    `Pull request ${pullRequest}, which reverts the merge of ${issue}, was closed without being merged.`,
  );
  const again = await desks.operator.rollback(issue, 'ada');
  expect(again).toMatchObject({ state: 'closed' });
  expect(again.says).toContain('was closed without being merged: main still contains the change.');
  expect(again.says).toContain(`\`legion approve ${issue}\` starts the work again.`);
});

test('approves a rolled-back issue whose revert was closed by deleting its branch', async () => {
  const { issue } = await merging.merged();
  const { branch } = await legion.desks.operator.rollback(issue, 'ada');
  await expect(legion.desks.operator.approve(issue, { by: 'ada', through: 'cli' })).rejects.toThrow(
    `git branch -D ${branch}`,
  );
  await git(legion.repository, 'branch', '--quiet', '-D', branch);
  expect((await legion.desks.operator.inbox()).find((each) => each.issue === issue)).toMatchObject({
    text: expect.stringContaining('was closed: main still contains the change'),
    next: `legion approve ${issue}`,
  });
  expect((await legion.desks.operator.approve(issue, { by: 'ada', through: 'cli' })).says).toContain(
    'A new start',
  );
});

test.each(['close', 'move'] as const)(
  'mentions an open revert in the response to `issue %s`',
  async (how) => {
    const { desks, repository } = legion;
    const { issue } = await merging.merged();
    const { pullRequest, branch } = await desks.operator.rollback(issue, 'ada');
    await (how === 'close' ? desks.issues.close(issue) : desks.issues.move(issue, 'Done'));
    const itemsOf = async () => (await desks.operator.inbox()).filter((each) => each.issue === issue);
    expect(await itemsOf()).toMatchObject([
      {
        kind: 'escalation',
        text: expect.stringContaining('is open: main contains the change until the revert is merged'),
        next: `legion pr merge ${pullRequest}`,
      },
    ]);
    expect((await desks.operator.explain(issue)).state).toMatchObject({
      says: expect.stringContaining(`Pull request ${pullRequest} reverts the change and is open`),
      until: { by: 'person', next: `legion pr merge ${pullRequest}` },
    });

    if (how === 'close') await merge(pullRequest, { force: true });
    else await git(repository, 'branch', '--quiet', '-D', branch);
    expect(await itemsOf()).toEqual([]);
    expect((await desks.operator.explain(issue)).state.until.by).toBe('nothing_more');
  },
);

test('shows the CI of an open revert, and the gates as they were at the original merge', async () => {
  await merging.configureCi();
  const { operator } = legion.desks;
  const { issue, number } = await merging.merged();
  const atMerge = await operator.gates(issue);
  const { pullRequest, branch } = await operator.rollback(issue, 'ada');
  expect(await operator.gates(issue)).toEqual(atMerge);
  expect(atMerge.merged).toMatchObject({ pullRequest: number });
  await merging.ciEnds(branch, 'passing');
  expect(await operator.ci(issue, { lines: 1 })).toMatchObject({
    number: pullRequest,
    status: 'passing',
    says: 'Revert: CI passes at the head of the pull request.',
    next: `Merge it: \`legion pr merge ${pullRequest}\`.`,
    checks: [{ name: 'ci', status: 'passing' }],
  });
  await merge(pullRequest);
  await operator.approve(issue, { by: 'ada', through: 'cli' });
  expect(await operator.ci(issue, { lines: 1 })).toMatchObject({
    number: null,
    says: `Pull request ${pullRequest}, which reverts the merge of ${issue}, is merged. There is no new pull request yet: CI runs once a worker has opened one.`,
  });
  expect(await operator.gates(issue)).toMatchObject({ headSha: null });
});

test('merges the revert of an interrupted rollback only after the rollback is complete', async () => {
  const { issue, number } = await merging.merged();
  const { forge } = legion.world.repositories.require(issue);
  const cut = await forge.revert(number, { issue, author: 'ada' });
  await expect(merge(cut.number, { force: true })).rejects.toMatchObject({ code: 'rollback.unfinished' });
  await legion.desks.operator.rollback(issue, 'ada');
  await merge(cut.number, { force: true });
});

test('if two operators merge the same revert concurrently, it is merged once', async () => {
  const { issue } = await merging.merged();
  const { pullRequest } = await legion.desks.operator.rollback(issue, 'ada');
  const outcomes = await Promise.allSettled([
    merge(pullRequest, { force: true }),
    merge(pullRequest, { force: true }),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'pr.merged' },
  });
  expect((await merging.eventsOf(issue)).filter(({ type }) => type === 'revert.landed')).toHaveLength(1);
});

test('resolves an interrupted merge according to the state of git', async () => {
  const { issue } = await merging.merged();
  const { pullRequest, branch } = await legion.desks.operator.rollback(issue, 'ada');
  const { headSha, baseSha } = await merging.read(branch);
  const begun = { issue, pullRequest, headSha, by: 'ada', actor: 'operator', forced: true } as const;
  const { world: context } = legion;
  await context.ledger.append([{ type: 'merge.begun', begin: 1, ...begun, preMerge: [] }]);
  await settleMerges(context);
  expect((await merging.eventsOf(issue)).at(-1)).toMatchObject({ type: 'merge.failed', begin: 1 });
  const { forge } = context.repositories.require(issue);
  const { mergedSha } = await executeMerge(context, forge, { ...begun, baseSha, preMerge: [] });
  await settleMerges(context);
  await settleMerges(context);
  expect((await merging.eventsOf(issue)).slice(-2)).toMatchObject([
    { type: 'merge.begun' },
    { type: 'revert.landed', revert: pullRequest, mergedSha, by: 'ada', forced: true },
  ]);
});

function merge(number: number, given: { force?: boolean; repo?: string } = {}) {
  return legion.desks.operator.mergePullRequest({ number, by: 'ada', force: false, ...given });
}
