/** Tests what the player sends to its daemon over a real socket, and how it handles the responses. */
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { STEP_NAMES } from '../../../src/agents/scripted/scenario/scenario.ts';
import { DAEMON_FILE } from '../../../src/protocol/state-files.ts';
import { VERB_NAMES } from '../../../src/protocol/verb.ts';
import { rule, type Steps, useStage } from './scripted-stage.ts';

const stage = useStage();
const heard = () => stage().daemon.heard.map(({ verb, input }) => ({ [verb]: input }));
const FEEDBACK = { LEGION_PURPOSE: 'feedback' };

test('every worker verb can be a step', () => {
  const steps: readonly string[] = STEP_NAMES;
  const named = VERB_NAMES.map((verb) => (verb === 'handoff_write' ? 'handoff' : verb));
  expect(named.filter((verb) => !steps.includes(verb))).toEqual([]);
});

test("an implementer's steps are sent with its own token and with placeholders filled in", async () => {
  const { code } = await stage().play(
    rule([
      { issue: true },
      { status: `at \${title}` },
      { checkpoint: { stage: 'half', completed: ['a'], remaining: ['b'] } },
      { comment: { text: `\${phase} for \${purpose}`, key: 'k' } },
      { message: { to: 'demo-1-test', text: 'ready' } },
      { handoff_read: { phase: 'plan' } },
      { push: true },
      { pr_open: { title: `\${issue}: \${title}`, body: `Closes \${issue}` } },
      { pr_edit: { body: `Fixes \${issue}` } },
      { pr_ready: {} },
      { handoff: { summary: 'made', files: [`\${issue}.md`] } },
      { done: 'made it' },
    ]),
  );
  expect(code).toBe(0);
  const lists = { decided: [], done: [], left: [], tests: [] };
  expect(heard()).toEqual([
    { issue: {} },
    // The issue is requested only once, to get its title.
    { issue: {} },
    { status: { text: 'at Say hello' } },
    { checkpoint: { stage: 'half', completed: ['a'], remaining: ['b'], lastAction: 'none' } },
    { comment: { text: 'implement for start', key: 'k' } },
    { message: { to: 'demo-1-test', text: 'ready' } },
    { handoff_read: { phase: 'plan' } },
    { push: {} },
    { pr_open: { title: 'DEMO-1: Say hello', body: 'Closes DEMO-1', draft: false } },
    { pr_edit: { body: 'Fixes DEMO-1' } },
    { pr_ready: {} },
    { handoff_write: { ...lists, summary: 'made', files: ['DEMO-1.md'] } },
    { done: { summary: 'made it' } },
  ]);
  expect(new Set(stage().daemon.heard.map(({ token }) => token))).toEqual(new Set(['token-of-this-attempt']));
  expect(existsSync(join(stage().outbox, 'done.flag'))).toBe(true);
});

test.each([
  ['architect', { split: { children: [{ title: 'A', body: 'a' }] } }],
  ['architect', { plan_review: { verdict: 'request-changes', text: 'no' } }],
  ['test', { verdict: { result: 'fail', suites: ['unit'], detail: 'red' } }],
  ['review', { review: { verdict: 'approve', text: 'good' } }],
  ['merge', { merge: {} }],
])('a worker of mode %s sends %j', async (mode, step) => {
  const env = { LEGION_MODE: mode, LEGION_PHASE: mode };
  expect((await stage().play(rule([step]), { env })).code).toBe(0);
  expect(heard()).toMatchObject([step]);
});

test.each([
  [['true'], 'pass', 'true ended with 0\n'],
  [['sh', '-c', 'echo red; exit 7'], 'fail', 'sh -c echo red; exit 7 ended with 7\nred'],
])('the exit code of %j determines the verdict', async (argv, result, detail) => {
  const env = { LEGION_MODE: 'test', LEGION_PHASE: 'test' };
  expect((await stage().play(rule([{ verdict_from: argv }]), { env })).code).toBe(0);
  expect(heard()).toEqual([{ verdict: { result, suites: ['unit'], detail: detail.trim() } }]);
});

test('if the command for a verdict cannot run, the worker reports an error, not a verdict', async () => {
  const env = { LEGION_MODE: 'test', LEGION_PHASE: 'test' };
  const { fault } = await stage().play(rule([{ verdict_from: ['sh', '-c', 'exit 127'] }]), { env });
  expect(fault).toBe('scenario.step_failed');
  expect(stage().daemon.heard.map(({ verb }) => verb)).toEqual(['error']);
});

test('a rejected report ends the turn with exit code 1, unless the step is `lie`', async () => {
  stage().daemon.answer('done', { says: 'no', durable: true, accepted: false, missing: 'no pull request' });
  const honest = await stage().play(rule([{ done: 'ready' }, { say: 'never' }]), { session: 'honest' });
  expect(honest.code).toBe(1);
  expect(honest.events).toContainEqual({ kind: 'text', text: 'done was not accepted: no pull request' });
  expect(honest.lines.join()).not.toContain('never');

  const liar = await stage().play(rule([{ lie: 'ready' }, { say: 'whatever' }]), { session: 'liar' });
  expect(liar.code).toBe(0);
  expect(liar.events).toContainEqual({ kind: 'text', text: 'whatever' });
});

test("if the daemon refuses a verb, the turn ends with the fault's code; a replaced attempt sends nothing more", async () => {
  stage().daemon.refuse('push', 'worker.not_ready', 'nothing to push');
  const refused = await stage().play(rule([{ push: true }]), { session: 'a' });
  expect(refused).toMatchObject({
    fault: 'worker.not_ready',
    message: 'rules[0].steps[0].push: nothing to push',
  });
  stage().daemon.refuse('push', 'worker.attempt_over', 'attempt 2 took over');
  const over = await stage().play(rule([{ push: true }]), { session: 'b' });
  expect(over.fault).toBe('worker.attempt_over');
  expect(stage().daemon.heard.map(({ verb }) => verb)).toEqual(['push', 'error', 'push']);
});

test('a question ends the turn, and the next turn, which receives the answer, continues with the next step', async () => {
  const asking: Steps = [
    { say: 'first' },
    { ask: 'red or blue?' },
    { say: 'second' },
    { ask: 'sure?' },
    { say: 'third' },
  ];
  const scenario = stage().scenario(rule(asking, { purpose: 'start' }));
  const said = async (env: Record<string, string>, resume: boolean) => {
    const { code, events } = await stage().play(scenario, { session: 'q', resume, env });
    expect(code).toBe(0);
    return events.flatMap((event) =>
      event.kind === 'text' && !event.text.includes(':') ? [event.text] : [],
    );
  };
  expect(await said({}, false)).toEqual(['first']);
  expect(heard()).toEqual([{ ask: { question: 'red or blue?' } }]);
  expect(await said(FEEDBACK, true)).toEqual(['second']);
  expect(await said(FEEDBACK, true)).toEqual(['third']);
});

test('if no step follows the question, another rule handles the answer', async () => {
  const scenario = stage().scenario({
    rules: [{ purpose: 'feedback', steps: [{ say: 'thanks' }] }, { steps: [{ ask: 'red or blue?' }] }],
  });
  const first = await stage().play(scenario, { session: 'q' });
  expect(first.events.map(({ kind }) => kind)).toContain('question');
  const second = await stage().play(scenario, { session: 'q', resume: true, env: FEEDBACK });
  expect(second.events).toContainEqual({ kind: 'text', text: 'thanks' });
});

test('while the daemon is unreachable, a report is stored in the outbox, and other requests are retried', async () => {
  const file = join(stage().state, DAEMON_FILE);
  renameSync(file, `${file}.away`);
  const pushing = stage().play(rule([{ push: true }]), { session: 'pushing' });
  const { code, events } = await stage().play(rule([{ done: 'ready' }]), { session: 'reporting' });
  expect(code).toBe(0);
  const [name = ''] = readdirSync(stage().outbox);
  const kept = join(stage().outbox, name);
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ verb: 'done', input: { summary: 'ready' } });
  expect(events).toContainEqual({
    kind: 'text',
    text: `done: the daemon is unreachable; the message is kept in ${kept}`,
  });

  // By now the worker client has given up on the other request, but the player keeps retrying it.
  renameSync(`${file}.away`, file);
  expect((await pushing).code).toBe(0);
  expect(heard()).toEqual([{ push: {} }]);
});

test('if a turn is aborted while the daemon is unreachable, it ends immediately, however early the abort comes', async () => {
  renameSync(join(stage().state, DAEMON_FILE), join(stage().state, 'gone'));
  const abortedAfter = async (ms: number) => {
    const asked = new AbortController();
    const turn = stage().play(rule([{ push: true }]), { signal: asked.signal });
    await Promise.all([
      sleep(ms).then(() => asked.abort()),
      expect(turn).rejects.toSatisfy((error) => error === asked.signal.reason),
    ]);
  };
  await Promise.all([0, 2, 5, 10, 15, 20, 30, 50].map(abortedAfter));
  expect(heard()).toEqual([]);
});

test('reports a fault if it does not run inside a worker', async () => {
  const { fault, lines } = await stage().play(rule([{ say: 'x' }]), { env: { LEGION_MODE: 'dance' } });
  expect(fault).toBe('speech.not_a_worker');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('environment.LEGION_MODE');
});
