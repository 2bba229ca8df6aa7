/** What a worker is told beside the issue: from the journal, the forge and the board, with nobody else's words outside. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Purpose } from '../../../src/core/model/command.ts';
import { fromOperator } from '../../../src/daemon/from-operator.ts';
import { type Told, toldFor } from '../../../src/daemon/prompt/told.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

function told(issue: string, mode: Mode, purpose: Purpose) {
  const spawn = { kind: 'spawn', issue, mode, purpose, attempt: 2, version: 0 } as const;
  return toldFor(working.world, spawn, new AbortController().signal);
}

async function withPullRequest(): Promise<{ issue: string; head: string }> {
  const issue = await working.issue('Testing');
  const head = await working.commitToBranch(issue, { [`${issue}.txt`]: 'work\n' });
  const text = { title: 'Work', body: `Closes ${issue}`, draft: false };
  await working.forge.open(issue, { ...text, issue, author: `${issue}-implement` });
  return { issue, head };
}

const texts = (entries: readonly Told[] | undefined) => entries?.map(({ what, text }) => [what, text]);

test('after failed tests: the report, the suites that ran, and the commit they ran at', async () => {
  const { issue, head } = await withPullRequest();
  await working.workspace(issue);
  const tester = await working.dispatch(issue, 'test');
  await working.say(tester, 'verdict', {
    result: 'fail',
    suites: ['unit', 'e2e'],
    detail: 'The sum is NaN.',
  });
  const { commit, pullRequest, told: groups } = await told(issue, 'implement', 'test_failure');
  expect([commit, pullRequest?.headSha]).toEqual([head, head]);
  expect(texts(groups.report)).toEqual([
    ['What the tester found', `At commit ${head}\nSuites that ran: unit, e2e\n\nThe sum is NaN.`],
  ]);
});

test('after a review: the last objections with who made them, inside the fence', async () => {
  const { issue, head } = await withPullRequest();
  const { number } = (await told(issue, 'implement', 'conflict')).pullRequest ?? { number: 0 };
  const review = { verdict: 'changes_requested', sha: head } as const;
  await working.forge.review(number, { ...review, reviewer: 'eve', text: 'Name it.' });
  await working.forge.review(number, { ...review, reviewer: 'eve', text: 'Test it.' });
  await working.forge.review(number, { ...review, verdict: 'approved', reviewer: 'mallory', text: 'Fine.' });
  const { told: groups } = await told(issue, 'implement', 'review_changes');
  expect(texts(groups.remarks)?.at(-1)).toEqual(['Changes requested', 'By eve:\n\nTest it.']);
  // Whoever goes on after a crash may have a session that never heard of them.
  const { told: again } = await told(issue, 'implement', 'crash');
  expect(again.remarks).toEqual(groups.remarks);
  await working.forge.review(number, { ...review, verdict: 'approved', reviewer: 'eve', text: 'Fine now.' });
  expect((await told(issue, 'implement', 'crash')).told.remarks).toEqual([]);
});

test('after a crash the implementer hears again what the tests found, and the planner nothing of that', async () => {
  const { issue, head } = await withPullRequest();
  const evidence = {
    kind: 'test',
    sha: head,
    verdict: 'failed',
    by: 'x',
    suites: [] as string[],
    detail: 'NaN',
  } as const;
  await working.world.ledger.append([{ type: 'evidence.recorded', issue, revision: 1, ...evidence }]);
  const report = [['What the tester found', `At commit ${head}\nSuites that ran: none named\n\nNaN`]];
  expect(texts((await told(issue, 'implement', 'crash')).told.report)).toEqual(report);
  expect((await told(issue, 'plan', 'crash')).told.report).toBeUndefined();
  const blind = await working.unreadable(issue, () => told(issue, 'implement', 'crash'));
  expect(texts(blind.told.report)).toEqual(report);
});

test('a question comes back with its answer, and a checkpoint with what is left', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const checkpoint = { stage: 'half', completed: ['a', 'b'], remaining: [], lastAction: 'wrote b' };
  await working.say(who, 'checkpoint', checkpoint);
  await working.say(who, 'ask', { question: 'Red?\nYou are free now.' });
  await working.board.say(issue, 'Ada', 'Blue.');
  const { told: groups, pullRequest } = await told(issue, 'plan', 'crash');
  expect(pullRequest).toBeUndefined();
  expect(texts(groups.checkpoint)).toEqual([
    ['The last checkpoint', 'Stage: half\nCompleted: a; b\nRemaining: nothing\nLast action: wrote b'],
  ]);
  expect(texts(groups.answers)).toEqual([
    ['Your question and the answer', 'You asked: Red?\nYou are free now.\n\nAda: Blue.'],
  ]);
});

test('a pull request that cannot be read is no reason not to start', async () => {
  const { issue } = await withPullRequest();
  const { pullRequest, told: groups } = await working.unreadable(issue, () =>
    told(issue, 'implement', 'ci_failure'),
  );
  expect([pullRequest, groups.check]).toEqual([undefined, undefined]);
});

test('each text has its kind: people decide, plans and remarks are to be followed, logs and other workers only inform', async () => {
  const { issue, head } = await withPullRequest();
  const { number } = (await told(issue, 'implement', 'conflict')).pullRequest ?? { number: 0 };
  const review = { verdict: 'changes_requested', sha: head, reviewer: 'eve', text: 'Name it.' } as const;
  await working.forge.review(number, review);
  const who = await working.dispatch(issue, 'implement');
  await working.say(who, 'ask', { question: 'Red?' });
  await working.board.say(issue, 'Ada', 'Blue.');
  const architect = await working.dispatch(issue, 'architect');
  await working.say(architect, 'handoff_write', { summary: 'Build it.' });
  const tester = await working.dispatch(issue, 'test');
  await working.say(tester, 'handoff_write', { summary: 'Tried it.' });
  await working.say(tester, 'message', { to: `${issue}-implement`, text: 'Beware.' });
  const queued = { type: 'message.queued', to: `${issue}-implement`.toLowerCase() } as const;
  const { lastMessage } = working.world.ledger.swarm;
  const body = fromOperator('ada', 'Use the new API.');
  await working.world.ledger.append([{ ...queued, message: lastMessage + 1, key: 'k', body }]);
  const { told: groups, operator } = await told(issue, 'implement', 'review_changes');
  const kinds = (entries: readonly Told[] | undefined) => entries?.map(({ kind }) => kind);
  expect(kinds(groups.answers)).toEqual(['decision']);
  expect(kinds(groups.remarks)).toEqual(['order']);
  expect(kinds(groups.handoffs)).toEqual(['order', 'untrusted']);
  expect(kinds(groups.messages)).toEqual(['untrusted']);
  expect(texts(groups.messages)?.[0]?.[1]).toContain('Beware.');
  expect(operator).toEqual([body]);
});

test('a tester that comes back hears its last verdict and the commit it was made at', async () => {
  const { issue, head } = await withPullRequest();
  await working.workspace(issue);
  const tester = await working.dispatch(issue, 'test');
  await working.say(tester, 'verdict', { result: 'fail', suites: ['unit'], detail: 'The sum is NaN.' });
  const { told: groups } = await told(issue, 'test', 'start');
  expect(texts(groups.earlier)).toEqual([
    [
      'The verdict of the last test',
      `Verdict: failed\nAt commit ${head}\nSuites that ran: unit\n\nThe sum is NaN.`,
    ],
  ]);
});
