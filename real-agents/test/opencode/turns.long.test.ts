/** OpenCode's turns: cut short by letters, by a stop, by a kill; questions and reminders; and how its session goes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REMINDER } from '../../../src/driving/next-prompt.ts';
import type { Mind } from '../../model/mind.ts';
import { inTurn, REPORTS, readOutput, until } from '../agent-legion.ts';
import type { Cast } from '../agent-stage.ts';
import { useOpencode } from './stage.ts';

const opencode = useOpencode();

/** Starts what leaves its group and its parents, and waits; it reports when it is spoken to again. */
function longCommand({ root }: Cast, before = 'true'): { readonly mind: Mind; pids(): number[] | false } {
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

/** One that has ended, and that nobody asks about, is not. */
function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('an interrupting letter ends the running command and what escaped from it, and the next turn begins with the letter', async () => {
  const { model, begin, launch, write } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  const running = await until(pids);
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

test('a server that is wedged in the midst of a turn is replaced when the turn is interrupted, and the session goes on', async () => {
  const { model, begin, launch, write } = opencode();
  const { mind, pids } = longCommand(opencode(), 'kill -STOP $OPENCODE_PID');
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  const running = await until(pids);
  write({ id: '000000000001', text: 'look here first', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(running.filter(isThere)).toEqual([]);
  expect(readOutput(out).lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'look here first']);
}, 120_000);

test('a letter that can wait begins the next turn', async () => {
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

test('a letter that comes while it starts takes no word of the first prompt away', async () => {
  const { model, play, launch, write } = opencode();
  model.mind = (seen) => (seen.prompts.length === 1 ? { silent: true } : REPORTS(seen));
  write({ id: '000000000001', text: 'and quickly', interrupt: true });
  const { code, lines } = await play(launch('the first words'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the first words', 'and quickly']);
});

test('a stop of the group leaves nobody, not even who escaped from the group', async () => {
  const { model, begin, launch, processes } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('x'));
  await until(pids);
  process.kill(-(worker.child.pid ?? 0), 'SIGTERM');
  await worker.exit;
  expect(processes()).toEqual([]);
});

test('killed in the midst of a command, the session goes on in its next life', async () => {
  const { model, begin, play, launch, resume, processes } = opencode();
  const { mind, pids } = longCommand(opencode());
  model.mind = mind;
  const worker = begin(launch('the words of the issue'));
  await until(pids);
  for (const each of processes()) process.kill(each, 'SIGKILL');
  const [before] = readOutput((await worker.end).out).events;
  const { code, events } = await play(resume('go on'));
  expect(code).toBe(0);
  expect(events[0]).toEqual(before);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'go on']);
});

test('a server that dies in the midst of a turn is a fault of the turn, and its command dies with it', async () => {
  const { model, begin, launch, processes } = opencode();
  const { mind, pids } = longCommand(opencode(), 'kill -KILL $OPENCODE_PID');
  model.mind = mind;
  const worker = begin(launch('x'));
  const running = await until(pids);
  const { code, out } = await worker.end;
  expect(code).toBe(1);
  expect(readOutput(out).lines.at(-1)).toMatchObject({
    ...{ type: 'error', code: 'agent.failed', message: expect.stringContaining('SIGKILL') },
  });
  expect(running.filter(isThere)).toEqual([]);
  expect(processes()).toEqual([]);
});

test('a turn without a report is reminded twice and no more', async () => {
  const { model, play, launch } = opencode();
  model.mind = () => ({ say: 'I think that was it.' });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(3);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['x', REMINDER, REMINDER]);
});

test('a question of its own tool goes to a person with its options, and ends the turn', async () => {
  const { model, play, launch, daemon } = opencode();
  const options = [
    { label: 'red', description: 'as blood' },
    { label: 'blue', description: '' },
  ];
  const input = { questions: [{ question: 'Which colour?', header: 'Colour', options }] };
  model.mind = inTurn({ tool: 'question', input });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(0);
  const question = 'Which colour?\n- red: as blood\n- blue';
  expect(daemon.heard).toMatchObject([{ verb: 'ask', input: { question } }]);
  expect(lines).toContainEqual({ type: 'question', text: question });
  expect(lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(model.asked).toHaveLength(1);
});
