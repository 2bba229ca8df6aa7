/**
 * Tests OpenCode's turns: interrupts by a message, a stop or a kill, questions, reminders, and how
 * its session continues.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REMINDER } from '../../../src/agents/runner/reminders.ts';
import type { ScriptedMind } from '../../model/mind.ts';
import { REPORTS, readOutput, takeTurns, waitUntilFound } from '../agent-legion.ts';
import type { AgentStage } from '../agent-stage.ts';
import { useOpencode } from './stage.ts';

const opencode = useOpencode();

/**
 * Makes the model run a long command that also starts a process outside its process group, and
 * report after the next prompt.
 */
function longCommand(
  { root }: AgentStage,
  before = 'true',
): { readonly mind: ScriptedMind; pids(): number[] | false } {
  const file = join(root, 'pids');
  const run = `setsid -f sh -c 'echo $$ >> "${file}"; sleep 300; true'; echo $$ >> '${file}'; ${before}; sleep 300; true`;
  return {
    mind: (seen) => (seen.prompts.length === 1 ? { run } : REPORTS(seen)),
    pids() {
      const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
      return pids.length === 2 && pids;
    },
  };
}

/** Returns whether the process is running. A zombie does not count as running. */
function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('an urgent message ends the running command and its escaped processes, and starts the next turn', async () => {
  const { model, begin, launch, write } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  const running = await waitUntilFound(pids);
  write({ id: '000000000001', text: 'look here first', interrupt: true });
  await worker.says('"heard"');
  expect(running.filter(isThere)).toEqual([]);
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  const { lines } = readOutput(out);
  expect(lines.filter(({ type }) => type !== 'usage').map(({ type }) => type)).toEqual([
    ...['started', 'tool_started', 'tool_ended', 'turn_ended', 'heard'],
    ...['tool_started', 'tool_ended', 'text', 'turn_ended'],
  ]);
  expect(lines).toContainEqual({ type: 'turn_ended', interrupted: true });
  expect(lines).toContainEqual({ type: 'heard', letter: '000000000001' });
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'look here first']);
});

test('if a server hangs when its turn is interrupted, replaces the server and continues the session', async () => {
  const { model, begin, launch, write } = opencode();
  const { mind, pids } = longCommand(opencode(), 'kill -STOP $OPENCODE_PID');
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  const running = await waitUntilFound(pids);
  write({ id: '000000000001', text: 'look here first', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(running.filter(isThere)).toEqual([]);
  expect(readOutput(out).lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'look here first']);
}, 120_000);

test('a normal message starts the next turn', async () => {
  const { model, play, launch, write, daemon } = opencode();
  model.mind = (seen) => {
    if (seen.prompts.includes('one more thing')) return REPORTS(seen);
    if (seen.calls.length > 0) return { say: 'so far' };
    write({ id: '000000000001', text: 'one more thing', interrupt: false });
    return { run: 'true' };
  };
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(0);
  const heard = lines.findIndex(({ type }) => type === 'heard');
  expect(lines[heard - 1]).toEqual({ type: 'turn_ended' });
  expect(daemon.heard.map(({ verb }) => verb)).toEqual(['done']);
});

test('delivers the whole first prompt even if a message arrives during the start', async () => {
  const { model, play, launch, write } = opencode();
  model.mind = (seen) => (seen.prompts.length === 1 ? { silent: true } : REPORTS(seen));
  write({ id: '000000000001', text: 'and quickly', interrupt: true });
  const { code, lines } = await play(launch('the first words'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the first words', 'and quickly']);
});

test('stopping the process group ends every process, even one that has left the group', async () => {
  const { model, begin, launch, processes } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('x'));
  await waitUntilFound(pids);
  process.kill(-(worker.child.pid ?? 0), 'SIGTERM');
  await worker.exit;
  expect(processes()).toEqual([]);
});

test('if the agent is killed while a command is running, the next attempt continues the session', async () => {
  const { model, begin, play, launch, resume, processes } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  await waitUntilFound(pids);
  for (const each of processes()) process.kill(each, 'SIGKILL');
  const [before] = readOutput((await worker.end).out).events;
  const { code, events } = await play(resume('go on'));
  expect(code).toBe(0);
  expect(events[0]).toEqual(before);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'go on']);
});

test('if the server crashes during a turn, reports a fault of the turn and ends the running command', async () => {
  const { model, begin, launch, processes } = opencode();
  const { mind, pids } = longCommand(opencode(), 'kill -KILL $OPENCODE_PID');
  model.mind = mind;
  const worker = begin(launch('x'));
  const running = await waitUntilFound(pids);
  const { code, out } = await worker.end;
  expect(code).toBe(1);
  expect(readOutput(out).lines.at(-1)).toMatchObject({
    type: 'error',
    code: 'agent.failed',
    message: expect.stringContaining('SIGKILL'),
  });
  expect(running.filter(isThere)).toEqual([]);
  expect(processes()).toEqual([]);
});

test('if an agent ends its turn without a report, it is reminded exactly twice', async () => {
  const { model, play, launch } = opencode();
  model.mind = () => ({ say: 'I think that was it.' });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(3);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['x', REMINDER, REMINDER]);
});

test("if OpenCode's own tool asks a question, passes it with its options to a person and ends the turn", async () => {
  const { model, play, launch, daemon } = opencode();
  const options = [
    { label: 'red', description: 'as blood' },
    { label: 'blue', description: '' },
  ];
  const input = { questions: [{ question: 'Which colour?', header: 'Colour', options }] };
  model.mind = takeTurns({ tool: 'question', input });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(0);
  const question = 'Which colour?\n- red: as blood\n- blue';
  expect(daemon.heard).toMatchObject([{ verb: 'ask', input: { question } }]);
  expect(lines).toContainEqual({ type: 'question', text: question });
  expect(lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(model.asked).toHaveLength(1);
});
