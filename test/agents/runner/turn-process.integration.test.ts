/** Tests a turn that runs as a process: its lines, its exit, and the signals that end it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurnProcess, type TurnProcess } from '../../../src/agents/runner/group.ts';
import { scratchFolder } from './scratch-folder.ts';

const { PATH = '' } = process.env;
const NEVER = new AbortController().signal;
/** The usual escalation of signals, with shorter delays. */
const LADDER = [
  ['SIGINT', 300],
  ['SIGTERM', 300],
  ['SIGKILL', 5_000],
] as const;

function shell(script: string, stdin = ''): TurnProcess {
  return { argv: ['/bin/sh', '-c', script], cwd: scratchFolder(), env: { PATH }, stdin };
}

test('sends the prompt to standard input, reads line by line, and returns the exit status', async () => {
  const lines: (string | undefined)[] = [];
  const script = 'cat; echo; printf "no end of line"; echo mistake >&2; exit 3';
  const exit = await runTurnProcess(shell(script, 'a prompt'), (line) => lines.push(line), NEVER);
  expect(lines).toEqual(['a prompt', 'no end of line']);
  expect(exit).toEqual({ code: 3, signal: null, errors: 'mistake\n', isInterrupted: false });
});

test('skips a line that is too long without keeping it in memory', async () => {
  const lines: (string | undefined)[] = [];
  const script = `head -c 5000000 /dev/zero | tr '\\0' x; echo; echo after`;
  await runTurnProcess(shell(script), (line) => lines.push(line), NEVER);
  expect(lines).toEqual([undefined, 'after', '']);
});

test('keeps only the end of a long error output', async () => {
  const script = 'i=0; while [ $i -lt 5000 ]; do echo "complaint $i"; i=$((i+1)); done >&2';
  const { errors } = await runTurnProcess(shell(script), () => undefined, NEVER);
  expect(errors.length).toBeLessThanOrEqual(8_192);
  expect(errors).toMatch(/complaint 4999\n$/);
});

test.each([
  ['sent SIGINT', 'trap "echo asked; exit 0" INT', 'asked'],
  ['sent SIGTERM if it ignores SIGINT', 'trap "" INT; trap "echo told; exit 0" TERM', 'told'],
])('an interrupted turn is %s', async (_name, trap, word) => {
  const { lines, exit } = await interrupted(`${trap}; echo ready; while :; do sleep 0.05; done`);
  expect(lines).toContain(word);
  expect(exit).toMatchObject({ code: 0, isInterrupted: true });
});

test('kills an interrupted turn that ignores all earlier signals', async () => {
  const { exit } = await interrupted('trap "" INT TERM; echo ready; while :; do sleep 0.05; done');
  expect(exit).toMatchObject({ signal: 'SIGKILL', isInterrupted: true });
});

test('does not start a turn that is already interrupted', async () => {
  const file = join(scratchFolder(), 'started');
  const exit = await runTurnProcess(shell(`touch '${file}'`), () => undefined, AbortSignal.abort(), LADDER);
  expect(exit).toEqual({ code: null, signal: null, errors: '', isInterrupted: true });
  expect(existsSync(file)).toBe(false);
});

async function interrupted(script: string) {
  const interrupt = new AbortController();
  const lines: (string | undefined)[] = [];
  const hear = (line: string | undefined) => {
    lines.push(line);
    if (line === 'ready') interrupt.abort();
  };
  return { lines, exit: await runTurnProcess(shell(script), hear, interrupt.signal, LADDER) };
}

test('does not wait for a leftover process that keeps the output open', async () => {
  const folder = scratchFolder();
  const file = join(folder, 'pid');
  const script = `sleep 60 & echo $! > '${file}'; echo said`;
  const lines: (string | undefined)[] = [];
  const before = Date.now();
  try {
    await runTurnProcess(shell(script), (line) => lines.push(line), NEVER);
    expect(Date.now() - before).toBeLessThan(20_000);
    expect(lines).toContain('said');
  } finally {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  }
});

test('ends the agent if its output cannot be processed, and reports why', async () => {
  const full = new Error('no space left');
  const turn = runTurnProcess(
    shell('echo ready; exec sleep 60'),
    () => {
      throw full;
    },
    NEVER,
    LADDER,
  );
  await expect(turn).rejects.toBe(full);
});

test('reports a missing program with a fault code', async () => {
  const nobody = { ...shell(''), argv: ['/no/such/program'] as const };
  await expect(runTurnProcess(nobody, () => undefined, NEVER)).rejects.toMatchObject({
    code: 'agent.not_ready',
  });
});

test('an agent that does not read its prompt causes no fault', async () => {
  const { code } = await runTurnProcess(shell('exit 0', 'x'.repeat(1_000_000)), () => undefined, NEVER);
  expect(code).toBe(0);
});
