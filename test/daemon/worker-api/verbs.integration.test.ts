import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

test('`issue` returns the issue with its effective labels and all comments, and null in place of a missing pull request', async () => {
  const issue = await working.issue('In Progress', ['bug']);
  await working.board.say(issue, 'ann', 'Please hurry.');
  const who = await working.dispatch(issue, 'implement');
  await working.say(who, 'ask', { question: 'How fast?' });
  const shown = await working.say(who, 'issue');
  expect(shown).toMatchObject({
    issue: { id: issue, status: 'In Progress', labels: ['bug', 'user-input-needed'], blockedBy: [] },
    comments: [{ author: 'ann', by: 'writer', text: 'Please hurry.' }],
    pullRequest: null,
    remarks: [],
  });
});

test('`issue` returns the pull request with its comments and with the review that is in effect', async () => {
  const issue = await working.issue('Needs Review');
  const sha = await working.commitToBranch(issue, { 'feature.txt': 'new\n' });
  const who = await working.dispatch(issue, 'implement');
  const { number } = await working.say(who, 'pr_open', { title: 'Feature', body: 'Adds it.' });
  const reviewer = await working.dispatch(issue, 'review');
  await working.say(reviewer, 'review', { verdict: 'request-changes', text: 'Name it better.' });
  expect(await working.say(who, 'issue')).toMatchObject({
    pullRequest: { number, state: 'open', title: 'Feature', headSha: sha, review: 'changes_requested' },
    remarks: [{ kind: 'changes_requested', by: `${issue}-review`.toLowerCase(), text: 'Name it better.' }],
  });
  await working.commitToBranch(issue, { 'docs/solutions/note.md': 'a note\n' });
  expect((await working.say(who, 'issue')).pullRequest?.review).toBe('changes_requested');
  await working.commitToBranch(issue, { 'feature.txt': 'newer\n' });
  expect((await working.say(who, 'issue')).pullRequest?.review).toBe('none');
});

test('`issue` never reports a pull request as missing if the forge could not be read', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  const refused = await working.unreadable(issue, () => refusal(working.say(who, 'issue')));
  expect(refused).toMatchObject({
    code: 'worker.not_ready',
    message: 'The pull request cannot be read at the moment.',
  });
});

test('`ask` journals the question, the wait and the label in one append', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const before = working.world.ledger.state.version;
  const answer = await working.say(who, 'ask', { question: 'Which one?' });
  expect(answer.question).toBe(1);
  expect(answer.says).toContain('End your turn');
  expect(working.world.ledger.state.version).toBe(before + 3);
  const record = working.record(issue);
  expect(record.questions[1]).toMatchObject({ mode: 'plan', attempt: 1, text: 'Which one?' });
  expect(computeEffectiveLabels([], working.world.ledger.state, issue)).toContain('user-input-needed');
  expect(toLifecycleState(working.worker(who).facts)).toBe('waiting-user');
  expect(working.wakes.at(-1)).toBe(issue);
});

test('`ask` records a repeated open question only once', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const asked = await Promise.all(
    ['this?', 'this?', 'that?', 'this?'].map((question) => working.say(who, 'ask', { question })),
  );
  expect(asked.map(({ question }) => question)).toEqual([1, 1, 2, 1]);
  expect(Object.keys(working.record(issue).questions)).toEqual(['1', '2']);
});

test('a respawned attempt that repeats its predecessor’s open question waits for the same answer', async () => {
  const issue = await working.issue('Todo');
  const first = await working.dispatch(issue, 'plan');
  await working.say(first, 'ask', { question: 'this?' });
  await working.world.ledger.append([{ type: 'attempt.crashed', ...first, evidence: ['gone'] }]);
  const second = await working.dispatch(issue, 'plan');
  expect(await working.say(second, 'ask', { question: 'this?' })).toMatchObject({ question: 1 });
  expect(toLifecycleState(working.worker(second).facts)).toBe('waiting-user');
  expect(working.record(issue).lastQuestion).toBe(1);
});

test('`checkpoint` saves a checkpoint, and saves nothing when repeated', async () => {
  const who = await working.dispatch(await working.issue('In Progress'), 'implement');
  const said = { stage: 'half way', completed: ['tests'], remaining: ['code'], lastAction: 'wrote tests' };
  await working.say(who, 'checkpoint', said);
  await working.say(who, 'checkpoint', said);
  expect(working.worker(who)).toMatchObject({ lastCheckpoint: 1, checkpoint: said });
  await working.say(who, 'checkpoint', { ...said, stage: 'nearly' });
  expect(working.worker(who)).toMatchObject({ lastCheckpoint: 2, checkpoint: { stage: 'nearly' } });
});

test('`handoff_write` writes the handoff of the current phase, which for an implement worker depends on the board', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  const handoff = {
    summary: 'It works.',
    done: ['all'],
    testSuiteResults: { unit: 'passed', e2e: { passed: 3 } },
    details: { steps: [1, { deep: null }] },
  };
  expect(await working.say(who, 'handoff_write', handoff)).toMatchObject({ phase: 'implement' });
  expect(await working.say(who, 'handoff_write', handoff)).toMatchObject({ phase: 'implement' });
  expect(working.record(issue).lastHandoff).toBe(1);
  await working.board.move(issue, 'Retro');
  expect(await working.say(who, 'handoff_write', { summary: 'Learnt.' })).toMatchObject({ phase: 'retro' });

  const reader = await working.dispatch(issue, 'merge');
  const { handoffs } = await working.say(reader, 'handoff_read');
  expect(handoffs).toMatchObject({
    implement: { ...handoff, decided: [], left: [] },
    retro: { summary: 'Learnt.' },
  });
  expect(Object.keys((await working.say(reader, 'handoff_read', { phase: 'retro' })).handoffs)).toEqual([
    'retro',
  ]);
  expect(await working.say(reader, 'handoff_read', { phase: 'plan' })).toEqual({ handoffs: {} });
});

test('`comment` posts a comment once per key, or once per text if the call has no key', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const keyed = { text: 'Under a key.', key: 'k' };
  for (const input of [keyed, keyed, { text: 'Plain.' }, { text: 'Plain.' }, { text: 'Other.' }]) {
    await working.say(who, 'comment', input);
  }
  const comments = await working.board.commentsSince(issue, 0, new AbortController().signal);
  expect(comments.map(({ text, by }) => [text, by])).toEqual([
    ['Under a key.', 'legion'],
    ['Plain.', 'legion'],
    ['Other.', 'legion'],
  ]);
});

test('`message` queues a message once, with its sender, and requires an existing recipient', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  const other = await working.dispatch(issue, 'architect');
  const to = `${issue}-architect`;
  const first = await working.say(who, 'message', { to, text: 'Look.' });
  expect(await working.say(who, 'message', { to: to.toLowerCase(), text: 'Look.' })).toEqual(first);
  expect(working.world.ledger.state.messages.get(first.message)).toMatchObject({
    to: to.toLowerCase(),
    body: `From worker ${issue.toLowerCase()}-plan:\n\nLook.`,
  });
  expect(working.wakes.at(-1)).toBe(other.issue);
  const { lastMessage } = working.world.ledger.state;
  for (const nobody of ['a-99-test', 'legion-controller', '../../x', issue])
    expect(await refusal(working.say(who, 'message', { to: nobody, text: 'Look.' }))).toMatchObject({
      code: 'message.no_recipient',
    });
  expect(working.world.ledger.state.lastMessage).toBe(lastMessage);
});

test('`message` is refused if the sender has too many undelivered messages', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  await working.dispatch(issue, 'architect');
  const to = `${issue}-architect`;
  const send = (number: number) => working.say(who, 'message', { to, text: `Look ${number}.` });
  for (let number = 1; number <= 20; number += 1) await send(number);
  expect(await refusal(send(21))).toMatchObject({ code: 'worker.not_ready' });
  const [message = 0] = [...working.world.ledger.state.messages.keys()].slice(-1);
  await working.world.ledger.append([{ type: 'message.delivered', message }]);
  expect(await send(21)).toMatchObject({ message: message + 1 });
});

test('`status` reports the known facts about the worker, and that a replaced attempt is over', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  await working.say(who, 'checkpoint', { stage: 'half way' });
  await working.say(who, 'ask', { question: 'this?' });
  const present = await working.say(who, 'status', { text: 'at work' });
  expect(present).toMatchObject({ worker: `${issue.toLowerCase()}-plan`, attempt: 1, state: 'waiting-user' });
  expect(present.says).toContain('half way');
  expect(present.says).toContain('Unanswered questions: 1.');
  await working.world.ledger.append([{ type: 'attempt.crashed', ...who, evidence: [] }]);
  expect(await working.say(who, 'status')).toMatchObject({ state: 'crashed' });
  await working.dispatch(issue, 'plan');
  const replaced = await working.say(who, 'status');
  expect(replaced.state).toBe('stopped');
  expect(replaced.says).toContain('attempt 2');
});

async function stopping(mode: 'plan' = 'plan') {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, mode);
  const process = { pid: 4_000_000, startTime: 'never' };
  await working.world.ledger.append(() => [
    { type: 'attempt.spawned', ...who, ...process },
    { type: 'attempt.stopped', ...who, why: 'stopped by ada' },
  ]);
  return who;
}

const extensionsOf = async (who: { issue: string }) => {
  const found = [];
  for await (const batch of working.world.ledger.read(0))
    found.push(
      ...batch.filter((event) => event.type === 'attempt.stop_extended' && event.issue === who.issue),
    );
  return found;
};

test('`status working` extends the grace period of a stopping worker twice, and no more', async () => {
  const who = await stopping();
  const first = await working.say(who, 'status', { text: 'working', reason: 'the tests\nare running' });
  expect(first.says).toMatch(/^You were asked to stop\. Your process is ended in .* 1 of at most 2 times/);
  await working.say(who, 'status', { text: 'working still the tests' });
  const third = await working.say(who, 'status', { text: 'working' });
  expect(third.says).toContain('2 of at most 2 times');
  expect(await extensionsOf(who)).toMatchObject([
    { extension: 1, why: 'the tests are running' },
    { extension: 2, why: 'still the tests' },
  ]);
});

test('`status working` changes nothing for a worker that was not asked to stop', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  expect((await working.say(who, 'status', { text: 'working', reason: 'hard' })).says).toContain('You are');
  expect(await extensionsOf(who)).toEqual([]);
});

test('a worker over its budget gets no more time', async () => {
  const issue = await working.issue('Todo');
  const who = await working.dispatch(issue, 'plan');
  await working.world.ledger.append(() => [
    { type: 'attempt.spawned', ...who, pid: 4_000_000, startTime: 'never' },
    { type: 'attempt.asked_to_stop', ...who, generation: 0, why: 'its budget is used up' },
    { type: 'attempt.stopped', ...who, why: 'its budget is used up' },
  ]);
  await working.say(who, 'status', { text: 'working', reason: 'nearly done' });
  expect(await extensionsOf(who)).toEqual([]);
});

test('a stopping worker may save a checkpoint, and all other verbs tell it to stop', async () => {
  const who = await stopping();
  await working.say(who, 'checkpoint', { stage: 'half way' });
  expect(working.worker(who).checkpoint).toMatchObject({ stage: 'half way' });
  const refused = await working.say(who, 'comment', { text: 'x' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'worker.attempt_over',
    fault: { next: expect.stringContaining('legion worker status working REASON') },
  });
});
