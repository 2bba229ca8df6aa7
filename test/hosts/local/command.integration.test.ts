/**
 * Tests a command that runs within limits: its verdict and output are correct, and it always ends.
 */
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

/** Reads a pid that a command wrote to a file, and waits until that process is gone. */
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

describe('the verdict of a command', () => {
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
    test(`is ${verdict} for "${script}"`, async () => {
      expect(await run(script)).toMatchObject({ verdict, why: expect.stringMatching(/\w/) });
    });
  }

  test('is could_not_run if the directory or the program is missing, and the reason names the program', async () => {
    expect(await run('', { argv: ['/no/such/program'] })).toMatchObject({
      verdict: 'could_not_run',
      why: expect.stringContaining('/no/such/program'),
    });
    expect(await run('exit 0', { cwd: join(folder, 'none') })).toMatchObject({ verdict: 'could_not_run' });
  });
});

describe('the output of a command', () => {
  test('is written from both streams to the file, and its tail is returned', async () => {
    expect(await run('echo one; echo two >&2')).toMatchObject({ tail: 'one\ntwo\n' });
    expect(await run('echo three')).toMatchObject({ tail: 'three\n' });
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(statSync(join(folder, 'output')).mode & 0o777).toBe(0o600);
  });

  test('has a bounded tail that starts with a whole character', async () => {
    const script = 'i=0; while [ "$i" -lt 20000 ]; do echo "€$i"; i=$((i+1)); done';
    const { tail } = await run(script);
    expect(tail.length).toBeLessThanOrEqual(32 * 1024);
    expect(tail).not.toContain('\uFFFD');
    expect(tail.endsWith('€19999\n')).toBe(true);
  });

  test('is returned without waiting for a grandchild that keeps the pipe open', async () => {
    const { durationMs, verdict } = await run('sleep 1000 & echo $! >"$1"; exit 0');
    expect(verdict).toBe('passed');
    expect(durationMs).toBeLessThan(5_000);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    await isGone();
  });

  test("contains no secret from the daemon's environment", async () => {
    const { tail } = await run('env', { env: { GIVEN: 'yes' } });
    expect(tail).not.toContain(CANARY.value);
    expect(tail).toContain('GIVEN=yes\n');
  });
});

describe('the timeout of a command', () => {
  test('ends the whole process group, and the verdict is could_not_run', async () => {
    const outcome = await run('sleep 1000 & echo $! >"$1"; wait', { timeoutMs: 200 });
    expect(outcome).toMatchObject({
      verdict: 'could_not_run',
      signal: 'SIGTERM',
      why: expect.stringContaining('200'),
    });
    await isGone();
  });

  test('sends SIGKILL to a process that ignores SIGTERM', async () => {
    const script = 'trap "" TERM; echo "$$" >"$1"; while :; do sleep 0.05; done';
    const outcome = await run(script, { timeoutMs: 300, graceMs: 200 });
    expect(outcome).toMatchObject({ verdict: 'could_not_run', signal: 'SIGKILL' });
    expect(outcome.durationMs).toBeGreaterThan(450);
    await isGone();
  });

  test('also ends a grandchild that ignores SIGTERM after its parent has exited', async () => {
    const script = '(trap "" TERM; exec sleep 1000) & echo $! >"$1"; wait';
    expect(await run(script, { timeoutMs: 300 })).toMatchObject({ verdict: 'could_not_run' });
    await isGone();
  });

  test('does not let a command pass if it exits with 0 after being stopped', async () => {
    const outcome = await run('trap "exit 0" TERM; while :; do sleep 0.02; done', { timeoutMs: 200 });
    expect(outcome).toMatchObject({ verdict: 'could_not_run', code: 0 });
  });

  test('may be infinite', async () => {
    const outcome = await run('exit 0', { timeoutMs: Number.MAX_SAFE_INTEGER });
    await sleep(10);
    expect(outcome.verdict).toBe('passed');
  });
});
