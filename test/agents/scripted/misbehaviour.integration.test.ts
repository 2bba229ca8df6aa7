/**
 * Tests misbehaviour as seen from outside: exit codes, signals, CPU time, output, leftover
 * processes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createScriptedAgent } from '../../../src/agents/scripted/scripted-agent.ts';
import { LAUNCHER, reading, rule, type Steps, useStage } from './scripted-stage.ts';
import { type Ended, watched } from './watched.ts';

const stage = useStage();
const says = { say: 'ready' };

function start(session: string, steps: Steps, more: Record<string, string> = {}) {
  const { home, workspace } = stage();
  const model = stage().scenario(rule(steps));
  const agent = createScriptedAgent({ launcher: LAUNCHER, home });
  return watched(stage().start(agent.launch(session, { prompt: 'go', workspace, model }), more));
}
const outcome = ({ code, signal }: Ended) => signal ?? code;
const kinds = ({ out }: Ended) => reading(out).events.map(({ kind }) => kind);

test('a `crash` step ends the process in the middle of a turn with a code or a signal; an `exit` step ends the turn without a report', async () => {
  const [code, signal, exit] = await Promise.all([
    start('a', [says, { crash: 3 }, { say: 'never' }]).end,
    start('b', [says, { crash: 'SIGKILL' }, { say: 'never' }]).end,
    start('c', [says, { exit: 0 }, { done: 'never' }]).end,
  ]);
  expect([code, signal, exit].map(outcome)).toEqual([3, 'SIGKILL', 0]);
  for (const crashed of [code, signal]) expect(kinds(crashed)).toEqual(['started', 'text']);
  expect(kinds(exit)).toEqual(['started', 'text', 'turn ended']);
  expect(stage().daemon.heard).toEqual([]);
});

test('silent and busy hangs both print nothing more and exit on SIGTERM, but differ in CPU time', async () => {
  const silent = start('a', [says, { hang: 'silent' }]);
  const busy = start('b', [says, { hang: 'busy' }]);
  await Promise.all([silent.says('ready'), busy.says('ready')]);
  const [silentBefore, busyBefore] = [cpuTicks(silent.child.pid), cpuTicks(busy.child.pid)];
  while (cpuTicks(busy.child.pid) < busyBefore + 20) await sleep(20);
  expect(cpuTicks(silent.child.pid) - silentBefore).toBeLessThan(5);
  for (const { child } of [silent, busy]) child.kill('SIGTERM');
  for (const each of await Promise.all([silent.end, busy.end])) {
    expect(outcome(each)).toBe(128 + 15);
    expect(kinds(each)).toEqual(['started', 'text']);
  }
});

test('a worker can ignore repeated SIGTERM, so that only SIGKILL ends it', async () => {
  const steps = [{ ignore_term: true }, says, { think: '150ms' }, { say: 'still here' }, { hang: 'silent' }];
  const { child, says: said, end } = start('a', steps);
  await said('ready');
  child.kill('SIGTERM');
  await sleep(30);
  child.kill('SIGTERM');
  await said('still here');
  child.kill('SIGKILL');
  expect(outcome(await end)).toBe('SIGKILL');
});

test('by default, SIGTERM ends the turn in the middle of a step, together with any program that the step runs', async () => {
  const { child, end } = start('a', [{ run: ['sh', '-c', 'echo $$ >pid; exec sleep 60'] }, { say: 'never' }]);
  const pid = await sleepingPid();
  child.kill('SIGTERM');
  const over = await end;
  expect(outcome(over)).toBe(143);
  expect(kinds(over)).toEqual(['started', 'tool started', 'tool ended']);
  expect(isAlive(pid)).toBe(false);
});

test("if a step's command receives SIGTERM shortly before the worker does, the step is not reported as a failure", async () => {
  const { child, end } = start('a', [{ run: ['sh', '-c', 'echo $$ >pid; exec sleep 60'] }, { say: 'never' }]);
  process.kill(await sleepingPid(), 'SIGTERM');
  await sleep(60);
  child.kill('SIGTERM');
  expect(outcome(await end)).toBe(143);
  expect(stage().daemon.heard).toEqual([]);
});

test("an escaped process keeps running in its own session, with the worker's marker, until it is killed", async () => {
  const marker = 'demo/demo-1-implement/1/0011223344556677';
  const { child, says: said, exit, end } = start('a', [{ escape: '30s' }], { LEGION_MARKER: marker });
  const pid = Number(/escaped: process (\d+)/.exec(await said('turn_ended'))?.[1]);
  try {
    await exit;
    expect(child.exitCode).toBe(0);
    const [, group, session] = statOf(pid).slice(1);
    expect(isAlive(pid)).toBe(true);
    expect([group, session]).toEqual([String(pid), String(pid)]);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`LEGION_MARKER=${marker}`);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('NODE_COMPILE_CACHE');
  } finally {
    process.kill(pid, 'SIGKILL');
  }
  // The escaped process had kept our output open until it was killed.
  await end;
});

test('a flood of output has exactly the requested size, in many lines or in one', async () => {
  const over = await start('a', [
    { flood: { bytes: '1MB' } },
    { flood: { bytes: 1_500_000, one_line: true } },
  ]).end;
  const lengths = over.out.split('\n').flatMap((line) => (line.includes('xxx') ? [line.length + 1] : []));
  expect(lengths).toHaveLength(245);
  expect(lengths.slice(0, -1).reduce((sum, length) => sum + length, 0)).toBe(1_000_000);
  expect(lengths.at(-1)).toBe(1_500_000);
  expect(kinds(over)).toEqual(['started', ...Array(244).fill('text'), 'unreadable', 'turn ended']);
});

test('a rate limit includes its reset time if one is set; no line of garbage output can be parsed', async () => {
  const before = Date.now();
  const { events, lines } = await stage().play(
    rule([{ rate_limited: { reset_in: '90s' } }, { rate_limited: {} }, { garbage: { lines: 9 } }]),
  );
  const [, limited, unknown, ...rest] = events;
  const resetAt = limited?.kind === 'rate limited' ? limited.resetAt : undefined;
  expect(resetAt).toBeGreaterThanOrEqual(before + 90_000);
  expect(resetAt).toBeLessThanOrEqual(Date.now() + 90_000);
  expect(unknown).toEqual({ kind: 'rate limited' });
  expect(rest).toEqual([
    ...lines.slice(3, 12).map(({ length }) => ({ kind: 'unreadable', length })),
    { kind: 'turn ended' },
  ]);
});

async function sleepingPid(): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(join(stage().workspace, 'pid'), 'utf8'));
      if (pid > 0 && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n') return pid;
    } catch {
      // The program has not started yet.
    }
    await sleep(10);
  }
}

/**
 * Returns the fields of /proc/PID/stat, beginning with the state: state, parent, group, session …
 */
function statOf(pid: number | undefined): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns the CPU time of the process itself, in hundredths of a second. */
function cpuTicks(pid: number | undefined): number {
  const stat = statOf(pid);
  return Number(stat[11]) + Number(stat[12]);
}

function isAlive(pid: number): boolean {
  try {
    return statOf(pid)[0] !== 'Z';
  } catch {
    return false;
  }
}
