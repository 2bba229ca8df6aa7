import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const WHY = 'greet(null) throws the wrong error';
const SENT_BACK = { summary: 'tried it', sentBack: WHY };

async function begin(status: Parameters<Working['issue']>[0], mode: Mode) {
  const issue = await working.issue(status, ['worker-active', 'test-passed']);
  return working.dispatch(issue, mode);
}

const labelsOf = (issue: string) => [
  ...computeEffectiveLabels(['worker-active', 'test-passed'], working.world.ledger.state, issue),
];

test.each([
  ['Testing', 'test', ['worker-done', 'test-failed']],
  ['Retro', 'merge', ['test-passed', 'worker-done']],
] as const)(
  'in %s, a %s worker can send work back without evidence, and that is not treated as a failure',
  async (status, mode, labels) => {
    const who = await begin(status, mode);
    expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
    const { facts, failedLives } = working.worker(who);
    expect(toLifecycleState(facts)).toBe('finished');
    expect(failedLives).toEqual([]);
    expect(labelsOf(who.issue).sort()).toEqual([...labels].sort());
    expect(working.record(who.issue).sentBack).toEqual({ by: mode, why: WHY, ordered: false });
    const { version } = working.world.ledger.state;
    expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
    expect(working.world.ledger.state.version).toBe(version);
  },
);

test.each(['architect', 'plan', 'implement', 'review'] as const)(
  'a %s worker cannot send work back',
  async (mode) => {
    const who = await begin('In Progress', mode);
    const { code, message } = await refusal(working.say(who, 'done', SENT_BACK));
    expect(code).toBe('worker.not_for_mode');
    expect(message).toContain(`not available in mode ${mode}. Valid modes: test, merge.`);
    expect(working.worker(who).lastReport).toBe(0);
  },
);

test('refuses to send work back without a reason or with an empty one', async () => {
  const who = await begin('Testing', 'test');
  for (const sentBack of ['', '  ', 7, true]) {
    expect(await refusal(working.say(who, 'done', { ...SENT_BACK, sentBack }))).toMatchObject({
      code: 'input.invalid',
    });
  }
  expect(await working.say(who, 'done', { summary: 'did it' })).toMatchObject({ accepted: false });
  expect(working.record(who.issue).sentBack).toBeUndefined();
});

test('a report that sends work back replaces an earlier report that is not judged yet', async () => {
  const who = await begin('Testing', 'test');
  await working.unreadable(who.issue, async () => {
    expect(await working.say(who, 'done', { summary: 'did it' })).not.toHaveProperty('accepted');
  });
  expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
  expect(working.record(who.issue).sentBack).toMatchObject({ by: 'test' });
});

test("keeps the reason for sending work back until the implementer's next report is accepted", async () => {
  const tester = await begin('Testing', 'test');
  await working.say(tester, 'done', SENT_BACK);
  await working.board.move(tester.issue, 'In Progress');
  const implementer = await working.dispatch(tester.issue, 'implement');
  expect(working.record(tester.issue).sentBack).toMatchObject({ why: WHY, ordered: true });
  await working.commit(tester.issue, { 'work.txt': 'better\n' });
  await working.say(implementer, 'push');
  await working.say(implementer, 'pr_open', { title: 'Work', body: `Closes ${tester.issue}` });
  expect(await working.say(implementer, 'done', { summary: 'mended it' })).toMatchObject({ accepted: true });
  expect(working.record(tester.issue).sentBack).toBeUndefined();
});

test('forgets the reason for sending work back if the tester, not the implementer, is started next', async () => {
  const tester = await begin('Testing', 'test');
  await working.say(tester, 'done', SENT_BACK);
  await working.dispatch(tester.issue, 'test');
  expect(working.record(tester.issue).sentBack).toBeUndefined();
});
