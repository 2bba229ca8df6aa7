import { afterAll, beforeAll, expect, test } from 'vitest';
import { lifecycleOf } from '../../../src/domain/lifecycle.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { effectiveLabels } from '../../../src/swarm/effective-labels.ts';
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
  ...effectiveLabels(['worker-active', 'test-passed'], working.world.ledger.swarm, issue),
];

test.each([
  ['Testing', 'test', ['worker-done', 'test-failed']],
  ['Retro', 'merge', ['test-passed', 'worker-done']],
] as const)(
  'in %s a %s worker sends unfit work back without any proof, and has not failed',
  async (status, mode, labels) => {
    const who = await begin(status, mode);
    expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
    const { facts, failedLives } = working.worker(who);
    expect(lifecycleOf(facts)).toBe('finished');
    expect(failedLives).toEqual([]);
    expect(labelsOf(who.issue).sort()).toEqual([...labels].sort());
    expect(working.record(who.issue).sentBack).toEqual({ by: mode, why: WHY, ordered: false });
    const { version } = working.world.ledger.swarm;
    expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
    expect(working.world.ledger.swarm.version).toBe(version);
  },
);

test.each(['architect', 'plan', 'implement', 'review'] as const)(
  'a %s worker cannot send work back',
  async (mode) => {
    const who = await begin('In Progress', mode);
    const { code, message } = await refusal(working.say(who, 'done', SENT_BACK));
    expect(code).toBe('worker.not_for_mode');
    expect(message).toContain(`for test and merge, not for ${mode}`);
    expect(working.worker(who).lastReport).toBe(0);
  },
);

test('without a reason, or with an empty one, nothing is sent back', async () => {
  const who = await begin('Testing', 'test');
  for (const sentBack of ['', '  ', 7, true]) {
    expect(await refusal(working.say(who, 'done', { ...SENT_BACK, sentBack }))).toMatchObject({
      code: 'input.invalid',
    });
  }
  expect(await working.say(who, 'done', { summary: 'did it' })).toMatchObject({ accepted: false });
  expect(working.record(who.issue).sentBack).toBeUndefined();
});

test('the later word counts where a report waits to be judged', async () => {
  const who = await begin('Testing', 'test');
  await working.unreadable(who.issue, async () => {
    expect(await working.say(who, 'done', { summary: 'did it' })).not.toHaveProperty('accepted');
  });
  expect(await working.say(who, 'done', SENT_BACK)).toMatchObject({ accepted: true });
  expect(working.record(who.issue).sentBack).toMatchObject({ by: 'test' });
});

test('an implementer that was sent for it keeps the reason until its own report is accepted', async () => {
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

test('where a person sends the tester again instead, the reason is forgotten', async () => {
  const tester = await begin('Testing', 'test');
  await working.say(tester, 'done', SENT_BACK);
  await working.dispatch(tester.issue, 'test');
  expect(working.record(tester.issue).sentBack).toBeUndefined();
});
