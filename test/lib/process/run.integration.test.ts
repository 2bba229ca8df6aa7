/**
 * Tests that the process runner limits time and output, and does not wait until a grandchild closes
 * its pipes.
 */
import { expect, test } from 'vitest';
import { isRunning } from '../../../src/lib/process/proc-table.ts';
import { createTermLadder, type RunOptions, run } from '../../../src/lib/process/run.ts';

const shell = (script: string, options: Partial<RunOptions> = {}) =>
  run('/bin/sh', ['-c', script], { env: { PATH: process.env['PATH'] }, timeoutMs: 20_000, ...options });

test('returns the exit status and both output streams, and passes the input', async () => {
  const result = await shell('cat; echo complaint >&2; exit 3', { input: 'asked' });
  expect(result).toEqual({ status: 3, stopped: undefined, stdout: 'asked', stderr: 'complaint\n' });
});

test('returns the signal that ended the program', async () => {
  expect(await shell('kill -KILL $$')).toMatchObject({ status: 'SIGKILL', stopped: undefined });
});

test('rejects if the program cannot be started', async () => {
  await expect(run('/nowhere/at-all', [], { env: {}, timeoutMs: 1_000 })).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('ends a program after the timeout, and kills a program that ignores SIGTERM', async () => {
  expect(await shell('sleep 60', { timeoutMs: 50, ownGroup: true })).toMatchObject({ stopped: 'timeout' });
  const ignoring = await shell("trap '' TERM; while :; do sleep 0.05; done", {
    timeoutMs: 50,
    ladder: createTermLadder(50),
    ownGroup: true,
  });
  expect(ignoring).toMatchObject({ status: 'SIGKILL', stopped: 'timeout' });
});

test("ends the program's whole process group", async () => {
  const { stdout } = await shell('sleep 60 & echo $!; wait', { timeoutMs: 300, ownGroup: true });
  await expect.poll(() => isRunning(Number(stdout))).toBe(false);
});

test('starts no program if the signal is already aborted, and ends a running program on abort', async () => {
  const reason = new Error('given up');
  await expect(shell('true', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const giveUp = new AbortController();
  const running = shell('sleep 60', { signal: giveUp.signal, ownGroup: true });
  giveUp.abort();
  expect(await running).toMatchObject({ stopped: 'aborted' });
});

test('ends a program that prints more than allowed', async () => {
  const result = await shell('yes', { maxOutputBytes: 1_000 });
  expect(result.stopped).toBe('output too large');
  expect(result.stdout.length).toBeLessThanOrEqual(1_000);
});

test('keeps only the end of both output streams on request', async () => {
  const { stdout } = await shell('yes | head -n 5000; sleep 0.1; echo last >&2', { tailChars: 9 });
  expect(stdout).toBe('y\ny\nlast\n');
});

test('waits at most a second for pipes that a grandchild keeps open', async () => {
  const begun = performance.now();
  const { stdout } = await shell('sleep 5 & echo $!', { input: '' });
  try {
    expect(performance.now() - begun).toBeLessThan(4_500);
  } finally {
    process.kill(Number(stdout), 'SIGKILL');
  }
});

test('sends one signal after another until the program ends', async () => {
  const giveUp = new AbortController();
  const heard: string[] = [];
  const result = await shell("trap 'echo asked' INT; echo ready; while :; do sleep 0.05; done", {
    signal: giveUp.signal,
    ladder: [
      ['SIGINT', 300],
      ['SIGTERM', 5_000],
    ],
    onStdout(text) {
      heard.push(text);
      giveUp.abort();
    },
  });
  expect(result).toMatchObject({ status: 'SIGTERM', stopped: 'aborted', stdout: '' });
  expect(heard.join('')).toBe('ready\nasked\n');
});

test('reports a program that survives all signals as stuck', async () => {
  let pid = 0;
  const result = await shell("trap '' TERM; while :; do sleep 0.05; done", {
    timeoutMs: 200,
    ladder: [['SIGTERM', 200]],
    onStarted(started) {
      pid = started;
    },
  });
  expect(result).toMatchObject({ status: 'stuck', stopped: 'timeout' });
  process.kill(pid, 'SIGKILL');
});
