/** A bounded command: its verdict, its output, and its end in any case. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BoundedCommand, runCommand } from '../../../src/hosts/local/command.ts';
import { CANARY } from '../../ports/host/conformance/host-under-test.ts';
import { eventually } from '../../ports/host/workers.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(script: string, given: Partial<BoundedCommand> = {}) {
  return runCommand({
    argv: ['/bin/sh', '-c', script, 'command', join(folder, 'pid')],
    cwd: folder,
    environment: { ...process.env, [CANARY.name]: CANARY.value },
    env: {},
    timeoutMs: 10_000,
    outputFile: join(folder, 'output'),
    ...given,
  });
}

/** Waits for the process whose pid a command left in a file to be gone. */
async function isGone(): Promise<void> {
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  await eventually('its end', () => {
    try {
      process.kill(pid, 0);
      return undefined;
    } catch {
      return true;
    }
  });
}

describe('verdict', () => {
  for (const [script, verdict] of [
    ['exit 0', 'passed'],
    ['exit 1', 'failed'],
    ['exit 2', 'failed'],
    ['exit 125', 'failed'],
    ['exit 255', 'failed'],
    ['exit 126', 'could_not_run'],
    ['exit 127', 'could_not_run'],
    ['no-such-program', 'could_not_run'],
    ['ulimit -c 0; kill -s SEGV "$$"', 'could_not_run'],
    ['kill -s KILL "$$"', 'could_not_run'],
  ] as const) {
    test(`"${script}" ${verdict}`, async () => {
      expect(await run(script)).toMatchObject({ verdict, why: expect.stringMatching(/\w/) });
    });
  }

  test('a program or folder that is not there could not run, and is named', async () => {
    expect(await run('', { argv: ['/no/such/program'] })).toMatchObject({
      verdict: 'could_not_run',
      why: expect.stringContaining('/no/such/program'),
    });
    expect(await run('exit 0', { cwd: join(folder, 'none') })).toMatchObject({ verdict: 'could_not_run' });
  });
});

describe('output', () => {
  test('has both streams, kept in the file, with the tail returned', async () => {
    expect(await run('echo one; echo two >&2')).toMatchObject({ tail: 'one\ntwo\n' });
    expect(await run('echo three')).toMatchObject({ tail: 'three\n' });
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(statSync(join(folder, 'output')).mode & 0o777).toBe(0o600);
  });

  test('of any length has a bounded tail that begins with a whole character', async () => {
    const script = 'i=0; while [ "$i" -lt 20000 ]; do echo "€$i"; i=$((i+1)); done';
    const { tail } = await run(script);
    expect(tail.length).toBeLessThanOrEqual(32 * 1024);
    expect(tail).not.toContain('\uFFFD');
    expect(tail.endsWith('€19999\n')).toBe(true);
  });

  test('held open by a grandchild keeps nobody waiting', async () => {
    const { durationMs, verdict } = await run('sleep 1000 & echo $! >"$1"; exit 0');
    expect(verdict).toBe('passed');
    expect(durationMs).toBeLessThan(5_000);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    await isGone();
  });

  test('has no secret of the daemon in it', async () => {
    const { tail } = await run('env', { env: { GIVEN: 'yes' } });
    expect(tail).not.toContain(CANARY.value);
    expect(tail).toContain('GIVEN=yes\n');
  });
});

describe('time', () => {
  test('that is up ends the whole group, and the verdict is could_not_run', async () => {
    const outcome = await run('sleep 1000 & echo $! >"$1"; wait', { timeoutMs: 200 });
    expect(outcome).toMatchObject({
      verdict: 'could_not_run',
      signal: 'SIGTERM',
      why: expect.stringContaining('200'),
    });
    await isGone();
  });

  test('that is up leads to SIGKILL for what ignores SIGTERM', async () => {
    const script = 'trap "" TERM; echo "$$" >"$1"; while :; do sleep 0.05; done';
    const outcome = await run(script, { timeoutMs: 300, graceMs: 200 });
    expect(outcome).toMatchObject({ verdict: 'could_not_run', signal: 'SIGKILL' });
    expect(outcome.durationMs).toBeGreaterThan(450);
    await isGone();
  });

  test('that is up also ends a grandchild that ignores SIGTERM after its parent has gone', async () => {
    const script = '(trap "" TERM; exec sleep 1000) & echo $! >"$1"; wait';
    expect(await run(script, { timeoutMs: 300 })).toMatchObject({ verdict: 'could_not_run' });
    await isGone();
  });

  test('that is up does not make a pass of a command that ends with 0 when asked to stop', async () => {
    const outcome = await run('trap "exit 0" TERM; while :; do sleep 0.02; done', { timeoutMs: 200 });
    expect(outcome).toMatchObject({ verdict: 'could_not_run', code: 0 });
  });

  test('without end is no trap for the timer', async () => {
    const outcome = await run('exit 0', { timeoutMs: Number.MAX_SAFE_INTEGER });
    await sleep(10);
    expect(outcome.verdict).toBe('passed');
  });
});
