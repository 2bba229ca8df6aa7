/** Codex cut short: by letters, by a stop, by a kill; and how its session goes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Mind } from '../model/mind.ts';
import { REPORTS, readOutput, type Stage, until } from './agent-legion.ts';
import { launchOn, resumeOn, useCodexStage } from './codex-stage.ts';

const stage = useCodexStage();

/** Runs a command that takes long, and reports when it is spoken to again; `pid` is of what the command's shell has started. */
function longCommand({ root }: Stage): { readonly mind: Mind; pid(): number | undefined } {
  const file = join(root, 'pid');
  return {
    mind: (seen) =>
      seen.prompts.length === 1 ? { run: `sleep 300 & echo $! > '${file}'; wait` } : REPORTS(seen),
    pid: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined),
  };
}

/** One that has ended, and that nobody asks about, is not. */
function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('an interrupting letter ends the running command, and the next turn begins with the letter', async () => {
  const { model, begin, write } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchOn(stage()));
  const running = await until(pid);
  write({ id: '000000000001', text: 'look here first', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(isThere(running)).toBe(false);
  const { events, lines } = readOutput(out);
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['started', 'tool started', 'tool ended', 'turn ended', 'heard'],
    ...['tool started', 'tool ended', 'text', 'usage', 'turn ended'],
  ]);
  expect(lines).toContainEqual({ type: 'turn_ended', interrupted: true });
  expect(lines).toContainEqual({ type: 'heard', letter: '000000000001' });
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'look here first']);
});

test('a letter that can wait begins the next turn', async () => {
  const { model, play, write, daemon } = stage();
  model.mind = (seen) => {
    if (seen.prompts.includes('one more thing')) return REPORTS(seen);
    if (seen.calls.length > 0) return { say: 'so far' };
    write({ id: '000000000001', text: 'one more thing', interrupt: false });
    return { run: 'true' };
  };
  const { code, lines } = await play(launchOn(stage()));
  expect(code).toBe(0);
  const heard = lines.findIndex(({ type }) => type === 'heard');
  expect(lines[heard - 1]).toEqual({ type: 'turn_ended' });
  expect(daemon.heard.map(({ verb }) => verb)).toEqual(['done']);
});

test('a letter that comes while it starts takes no word of the first prompt away', async () => {
  const { model, play, write } = stage();
  model.mind = (seen) => (seen.prompts.length === 1 ? { silent: true } : REPORTS(seen));
  write({ id: '000000000001', text: 'and quickly', interrupt: true });
  const { code, lines } = await play(launchOn(stage(), 'the first words'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the first words', 'and quickly']);
});

test('a stop of the group leaves nothing, although each command has a session of its own', async () => {
  const { model, begin, processes } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchOn(stage()));
  const running = await until(pid);
  process.kill(-(worker.child.pid ?? 0), 'SIGTERM');
  await worker.exit;
  expect(isThere(running)).toBe(false);
  await until(() => processes().length === 0);
});

test('killed in the midst of a command, the session goes on in the same thread', async () => {
  const { model, begin, play, processes } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchOn(stage()));
  await until(pid);
  for (const each of processes()) process.kill(each, 'SIGKILL');
  const before = readOutput((await worker.end).out).events[0];
  const { code, events } = await play(resumeOn(stage(), 'go on'));
  expect(code).toBe(0);
  expect(events[0]).toEqual(before);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'go on']);
});

test('a command that still runs when the turn ends is ended with it', async () => {
  const { model, play, root } = stage();
  const file = join(root, 'pid');
  const input = { cmd: `sleep 300 & echo $! > '${file}'; wait`, yield_time_ms: 500 };
  model.mind = (seen) =>
    seen.calls.length === 0
      ? { tool: 'exec_command', input }
      : REPORTS({ ...seen, calls: seen.calls.slice(1) });
  const { code, events } = await play(launchOn(stage()));
  expect(code).toBe(0);
  expect(isThere(Number(readFileSync(file, 'utf8')))).toBe(false);
  const started = events.flatMap((event) => (event.kind === 'tool started' ? event.id : []));
  const ended = events.flatMap((event) => (event.kind === 'tool ended' ? event.id : []));
  expect(ended.toSorted()).toEqual(started.toSorted());
});
