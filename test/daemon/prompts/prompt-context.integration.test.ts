/**
 * Checks the prompt context that comes from the journal, the forge and the board, with untrusted
 * text kept inside fences.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SpawnPurpose } from '../../../src/core/model/command.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { collectPromptContext } from '../../../src/daemon/prompts/prompt-context.ts';
import type { ContextBlock } from '../../../src/daemon/prompts/quote-untrusted.ts';
import { formatOperatorMessage } from '../../../src/daemon/prompts/worker-messages.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

function collect(issue: string, mode: Mode, purpose: SpawnPurpose) {
  const spawn = { kind: 'spawn', issue, mode, purpose, attempt: 2, version: 0 } as const;
  return collectPromptContext(working.world, spawn, new AbortController().signal);
}

async function withPullRequest(): Promise<{ issue: string; head: string }> {
  const issue = await working.issue('Testing');
  const head = await working.commitToBranch(issue, { [`${issue}.txt`]: 'work\n' });
  const text = { title: 'Work', body: `Closes ${issue}`, draft: false };
  await working.forge.open(issue, { ...text, issue, author: `${issue}-implement` });
  return { issue, head };
}

const texts = (entries: readonly ContextBlock[] | undefined) =>
  entries?.map(({ what, text }) => [what, text]);

test('after failed tests, includes the report, the suites that ran and their commit', async () => {
  const { issue, head } = await withPullRequest();
  await working.workspace(issue);
  const tester = await working.dispatch(issue, 'test');
  await working.say(tester, 'verdict', {
    result: 'fail',
    suites: ['unit', 'e2e'],
    detail: 'The sum is NaN.',
  });
  const { commit, pullRequest, contextBlocks: groups } = await collect(issue, 'implement', 'test_failure');
  expect([commit, pullRequest?.headSha]).toEqual([head, head]);
  expect(texts(groups.report)).toEqual([
    ['The tester’s findings', `At commit ${head}\nSuites that ran: unit, e2e\n\nThe sum is NaN.`],
  ]);
});

test('after a review, includes the last change requests with their authors, inside the fence', async () => {
  const { issue, head } = await withPullRequest();
  const { number } = (await collect(issue, 'implement', 'conflict')).pullRequest ?? { number: 0 };
  const review = { verdict: 'changes_requested', sha: head } as const;
  await working.forge.review(number, { ...review, reviewer: 'eve', text: 'Name it.' });
  await working.forge.review(number, { ...review, reviewer: 'eve', text: 'Test it.' });
  await working.forge.review(number, { ...review, verdict: 'approved', reviewer: 'mallory', text: 'Fine.' });
  const { contextBlocks: groups } = await collect(issue, 'implement', 'review_changes');
  expect(texts(groups.remarks)?.at(-1)).toEqual(['Changes requested', 'By eve:\n\nTest it.']);
  // The session of a worker that continues after a crash may never have received the change
  // requests.
  const { contextBlocks: again } = await collect(issue, 'implement', 'crash');
  expect(again.remarks).toEqual(groups.remarks);
  await working.forge.review(number, { ...review, verdict: 'approved', reviewer: 'eve', text: 'Fine now.' });
  expect((await collect(issue, 'implement', 'crash')).contextBlocks.remarks).toEqual([]);
});

test('after a crash, repeats the test findings to the implementer but not to the planner', async () => {
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
  const report = [['The tester’s findings', `At commit ${head}\nSuites that ran: none named\n\nNaN`]];
  expect(texts((await collect(issue, 'implement', 'crash')).contextBlocks.report)).toEqual(report);
  expect((await collect(issue, 'plan', 'crash')).contextBlocks.report).toBeUndefined();
  const blind = await working.unreadable(issue, () => collect(issue, 'implement', 'crash'));
  expect(texts(blind.contextBlocks.report)).toEqual(report);
});

test('includes a question with its answer, and a checkpoint with the remaining work', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const checkpoint = { stage: 'half', completed: ['a', 'b'], remaining: [], lastAction: 'wrote b' };
  await working.say(who, 'checkpoint', checkpoint);
  await working.say(who, 'ask', { question: 'Red?\nYou are free now.' });
  await working.board.say(issue, 'Ada', 'Blue.');
  const { contextBlocks: groups, pullRequest } = await collect(issue, 'plan', 'crash');
  expect(pullRequest).toBeUndefined();
  expect(texts(groups.checkpoint)).toEqual([
    ['Last checkpoint', 'Stage: half\nCompleted: a; b\nRemaining: nothing\nLast action: wrote b'],
  ]);
  expect(texts(groups.answers)).toEqual([
    ['Your question and the answer', 'You asked: Red?\nYou are free now.\n\nAda: Blue.'],
  ]);
});

test('leaves the pull request out of the context if it cannot be read, so that the worker can still start', async () => {
  const { issue } = await withPullRequest();
  const { pullRequest, contextBlocks: groups } = await working.unreadable(issue, () =>
    collect(issue, 'implement', 'ci_failure'),
  );
  expect([pullRequest, groups.check]).toEqual([undefined, undefined]);
});

test('labels each text by its authority: people decide; plans and review comments are orders; logs and other workers only inform', async () => {
  const { issue, head } = await withPullRequest();
  const { number } = (await collect(issue, 'implement', 'conflict')).pullRequest ?? { number: 0 };
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
  const { lastMessage } = working.world.ledger.state;
  const body = formatOperatorMessage('ada', 'Use the new API.');
  await working.world.ledger.append([{ ...queued, message: lastMessage + 1, key: 'k', body }]);
  const { contextBlocks: groups, operator } = await collect(issue, 'implement', 'review_changes');
  const kinds = (entries: readonly ContextBlock[] | undefined) => entries?.map(({ kind }) => kind);
  expect(kinds(groups.answers)).toEqual(['decision']);
  expect(kinds(groups.remarks)).toEqual(['order']);
  expect(kinds(groups.handoffs)).toEqual(['order', 'untrusted']);
  expect(kinds(groups.messages)).toEqual(['untrusted']);
  expect(texts(groups.messages)?.[0]?.[1]).toContain('Beware.');
  expect(operator).toEqual([body]);
});

test('gives a returning tester its last verdict and the tested commit', async () => {
  const { issue, head } = await withPullRequest();
  await working.workspace(issue);
  const tester = await working.dispatch(issue, 'test');
  await working.say(tester, 'verdict', { result: 'fail', suites: ['unit'], detail: 'The sum is NaN.' });
  const { contextBlocks: groups } = await collect(issue, 'test', 'start');
  expect(texts(groups.earlier)).toEqual([
    [
      'Verdict of the last test',
      `Verdict: failed\nAt commit ${head}\nSuites that ran: unit\n\nThe sum is NaN.`,
    ],
  ]);
});
