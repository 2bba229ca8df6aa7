/**
 * Tests Codex when it is interrupted by a message, a stop or a kill, and how its session continues.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScriptedMind } from '../model/mind.ts';
import { type AgentTestStage, REPORTS, readOutput, waitUntilFound } from './agent-legion.ts';
import { launchCodexOn, resumeCodexOn, useCodexStage } from './codex-stage.ts';

const stage = useCodexStage();

/**
 * Makes the model run a long command, and report after the next prompt. `pid` returns the id of the
 * process that the command's shell has started.
 */
function longCommand({ root }: AgentTestStage): { readonly mind: ScriptedMind; pid(): number | undefined } {
  const file = join(root, 'pid');
  return {
    mind: (seen) =>
      seen.prompts.length === 1 ? { run: `sleep 300 & echo $! > '${file}'; wait` } : REPORTS(seen),
    pid: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined),
  };
}

/** Returns whether the process is running. A zombie does not count as running. */
function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('an urgent message ends the running command and starts the next turn', async () => {
  const { model, begin, write } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchCodexOn(stage()));
  const running = await waitUntilFound(pid);
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

test('a normal message starts the next turn', async () => {
  const { model, play, write, daemon } = stage();
  model.mind = (seen) => {
    if (seen.prompts.includes('one more thing')) return REPORTS(seen);
    if (seen.calls.length > 0) return { say: 'so far' };
    write({ id: '000000000001', text: 'one more thing', interrupt: false });
    return { run: 'true' };
  };
  const { code, lines } = await play(launchCodexOn(stage()));
  expect(code).toBe(0);
  const heard = lines.findIndex(({ type }) => type === 'heard');
  expect(lines[heard - 1]).toEqual({ type: 'turn_ended' });
  expect(daemon.heard.map(({ verb }) => verb)).toEqual(['done']);
});

test('delivers the whole first prompt even if a message arrives during the start', async () => {
  const { model, play, write } = stage();
  model.mind = (seen) => (seen.prompts.length === 1 ? { silent: true } : REPORTS(seen));
  write({ id: '000000000001', text: 'and quickly', interrupt: true });
  const { code, lines } = await play(launchCodexOn(stage(), 'the first words'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the first words', 'and quickly']);
});

test('stopping the process group ends every process, although each command runs in its own process session', async () => {
  const { model, begin, processes } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchCodexOn(stage()));
  const running = await waitUntilFound(pid);
  process.kill(-(worker.child.pid ?? 0), 'SIGTERM');
  await worker.exit;
  expect(isThere(running)).toBe(false);
  await waitUntilFound(() => processes().length === 0);
});

test('if Codex is killed while a command is running, the session continues in the same thread', async () => {
  const { model, begin, play, processes } = stage();
  const { mind, pid } = longCommand(stage());
  model.mind = mind;
  const worker = begin(launchCodexOn(stage()));
  await waitUntilFound(pid);
  for (const each of processes()) process.kill(each, 'SIGKILL');
  const before = readOutput((await worker.end).out).events[0];
  const { code, events } = await play(resumeCodexOn(stage(), 'go on'));
  expect(code).toBe(0);
  expect(events[0]).toEqual(before);
  expect(model.asked.at(-1)?.seen.prompts).toEqual(['the words of the issue', 'go on']);
});

test('ends a command that is still running when the turn ends', async () => {
  const { model, play, root } = stage();
  const file = join(root, 'pid');
  const input = { cmd: `sleep 300 & echo $! > '${file}'; wait`, yield_time_ms: 500 };
  model.mind = (seen) =>
    seen.calls.length === 0
      ? { tool: 'exec_command', input }
      : REPORTS({ ...seen, calls: seen.calls.slice(1) });
  const { code, events } = await play(launchCodexOn(stage()));
  expect(code).toBe(0);
  expect(isThere(Number(readFileSync(file, 'utf8')))).toBe(false);
  const started = events.flatMap((event) => (event.kind === 'tool started' ? event.id : []));
  const ended = events.flatMap((event) => (event.kind === 'tool ended' ? event.id : []));
  expect(ended.toSorted()).toEqual(started.toSorted());
});
