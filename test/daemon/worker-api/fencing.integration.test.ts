import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { VERB_NAMES, type VerbName } from '../../../src/protocol/verb.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

/** A valid input for each verb. */
const INPUTS: Readonly<Record<VerbName, unknown>> = {
  issue: {},
  done: { summary: 'did it' },
  error: { summary: 'could not' },
  ask: { question: 'which?' },
  checkpoint: { stage: 'begun' },
  handoff_read: {},
  handoff_write: { summary: 'all of it' },
  comment: { text: 'a word' },
  split: { children: [{ title: 'One', body: 'of one' }] },
  push: {},
  pr_open: { title: 'Work', body: 'Closes it' },
  pr_edit: { title: 'More work' },
  pr_show: {},
  ci: {},
  pr_ready: {},
  verdict: { result: 'pass' },
  review: { verdict: 'approve', text: 'fine' },
  plan_review: { verdict: 'approve', text: 'fine' },
  merge: {},
  message: { to: 'legion-po', text: 'hello' },
  status: {},
};

const MODE_OF: Readonly<Partial<Record<VerbName, WorkerIdentity['mode']>>> = {
  split: 'architect',
  plan_review: 'architect',
  verdict: 'test',
  review: 'review',
  merge: 'merge',
};

const stateOf = (who: WorkerIdentity) => toLifecycleState(working.worker(who).facts);

async function crash({ issue, mode, attempt }: WorkerIdentity): Promise<void> {
  await working.world.ledger.append([{ type: 'attempt.crashed', issue, mode, attempt, evidence: ['gone'] }]);
}

test('a token identifies its attempt, and any other string identifies none', () => {
  const who = { issue: 'A-1', mode: 'plan', attempt: 3 } as const;
  expect(working.speech.identify(working.world.tokens.createToken(who))).toEqual(who);
  expect(working.speech.identify('lw1.e30.forged')).toBeUndefined();
});

test('refuses an unknown verb, a verb of another mode and invalid input before it reads anything', async () => {
  const nobody = { issue: 'nothing', mode: 'plan', attempt: 1 } as const;
  expect(await refusal(working.say(nobody, 'hasOwnProperty' as VerbName))).toMatchObject({
    code: 'input.invalid',
  });
  expect(await refusal(working.say(nobody, 'merge'))).toMatchObject({ code: 'worker.not_for_mode' });
  const wrong = await refusal(working.say(nobody, 'done', { summary: '', more: 1 }));
  expect(wrong.code).toBe('input.invalid');
  expect(wrong.message).toContain('done.summary');
});

test('an ended attempt can use no verb except a report, and the status verb says that the attempt is over', async () => {
  const readable: VerbName[] = ['status'];
  for (const verb of VERB_NAMES) {
    if (verb === 'done' || verb === 'error') continue;
    const issue = await working.issue('In Progress');
    const who = await working.dispatch(issue, MODE_OF[verb] ?? 'implement');
    await crash(who);
    const before = working.world.ledger.state.version;
    if (readable.includes(verb)) await working.say(who, verb, INPUTS[verb]);
    else
      expect(await refusal(working.say(who, verb, INPUTS[verb])), verb).toMatchObject({
        code: 'worker.attempt_over',
        retryable: false,
      });
    await working.dispatch(issue, who.mode);
    const replaced = working.say(who, verb, INPUTS[verb]);
    if (readable.includes(verb)) await replaced;
    else expect(await refusal(replaced), verb).toMatchObject({ code: 'worker.attempt_over' });
    expect(working.world.ledger.state.version, verb).toBe(before + 2);
  }
});

test('refuses a worker that is not in the journal and an attempt that does not exist yet', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  for (const other of [
    { ...who, attempt: 2 },
    { ...who, issue: issue.toLowerCase() },
    { ...who, mode: 'test' as const },
  ]) {
    expect(await refusal(working.say(other, 'done', INPUTS.done))).toMatchObject({
      code: 'worker.attempt_over',
    });
    expect(await refusal(working.say(other, 'status'))).toMatchObject({ code: 'worker.attempt_over' });
  }
  expect(stateOf(who)).toBe('executing');
});

test('records nothing for an attempt that ends before its call reaches the journal', async () => {
  const who = await working.dispatch(await working.issue('In Progress'), 'implement');
  const said = refusal(working.say(who, 'handoff_write', INPUTS.handoff_write));
  await working.world.ledger.append([{ type: 'attempt.stopped', ...who, why: 'asked to' }]);
  expect(await said).toMatchObject({ code: 'worker.attempt_over' });
  expect(working.record(who.issue).handoffs).toEqual({});
});

test('records each report of an ended attempt once, but such a report has no effect', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  await crash(who);
  for (const _ of ['first', 'again']) {
    const answer = await working.say(who, 'done', INPUTS.done);
    expect(answer).toMatchObject({ durable: true, accepted: false });
    expect(answer.missing).toContain('is over');
  }
  expect(await working.say(who, 'error', INPUTS.error)).toMatchObject({ durable: true, accepted: false });
  expect(working.worker(who).lateReports).toMatchObject([
    { attempt: 1, report: 1, outcome: 'done' },
    { attempt: 1, report: 2, outcome: 'error' },
  ]);
  expect(stateOf(who)).toBe('crashed');
});

test('keeps a report of a replaced attempt, and the new attempt continues unaffected', async () => {
  const old = await working.dispatch(await working.issue('Todo'), 'plan');
  await crash(old);
  const present = await working.dispatch(old.issue, 'plan');
  const { facts } = working.worker(present);
  expect(await working.say(old, 'done', INPUTS.done)).toMatchObject({ accepted: false });
  expect(working.worker(present)).toMatchObject({ facts, lastReport: 0, lateReports: [{ attempt: 1 }] });
});

test('processes a message only once if it is repeated under the same id, and processes a message with another id separately', async () => {
  const who = await working.dispatch(await working.issue('Todo'), 'plan');
  const first = working.say(who, 'ask', INPUTS.ask, 'one');
  const again = working.say(who, 'ask', INPUTS.ask, 'one');
  expect(await again).toEqual(await first);
  const { question } = await first;
  await working.world.ledger.append([
    { type: 'question.answered', issue: who.issue, question, by: 'a person', text: 'this one' },
  ]);
  expect(await working.say(who, 'ask', INPUTS.ask, 'one')).toMatchObject({ question });
  expect(await working.say(who, 'ask', INPUTS.ask, 'two')).toMatchObject({ question: question + 1 });
});

test('a failed message may be retried under the same id', async () => {
  const issue = await working.issue('Testing');
  const who = await working.dispatch(issue, 'test');
  expect(await refusal(working.say(who, 'verdict', INPUTS.verdict, 'one'))).toMatchObject({
    code: 'worker.not_ready',
  });
  await working.commit(issue, { 'work.txt': 'done\n' });
  await working.forge.open(issue, { issue, author: 'somebody', title: 'Work', body: 'Work', draft: false });
  expect(await working.say(who, 'verdict', INPUTS.verdict, 'one')).toMatchObject({ sha: expect.any(String) });
});

test('a worker cannot get another worker’s response by using the same message id', async () => {
  const issue = await working.issue('Todo');
  const plan = await working.dispatch(issue, 'plan');
  const architect = await working.dispatch(issue, 'architect');
  expect(await working.say(plan, 'ask', { question: 'mine?' }, 'same')).toMatchObject({ question: 1 });
  expect(await working.say(architect, 'ask', { question: 'and mine?' }, 'same')).toMatchObject({
    question: 2,
  });
});
