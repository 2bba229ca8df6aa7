/** A turn that is a process: its lines, its end, and the ladder it is ended by. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TurnProcess, takeTurn } from '../../../src/driving/turn-process.ts';
import { scratchFolder } from './scratch-folder.ts';

const { PATH = '' } = process.env;
const NEVER = new AbortController().signal;
/** As the usual one, in less time. */
const LADDER = [
  ['SIGINT', 300],
  ['SIGTERM', 300],
  ['SIGKILL', 5_000],
] as const;

function shell(script: string, stdin = ''): TurnProcess {
  return { argv: ['/bin/sh', '-c', script], cwd: scratchFolder(), env: { PATH }, stdin };
}

test('its prompt comes on standard input, its lines are heard one by one, and its exit says how it ended', async () => {
  const lines: (string | undefined)[] = [];
  const script = 'cat; echo; printf "no end of line"; echo mistake >&2; exit 3';
  const exit = await takeTurn(shell(script, 'a prompt'), (line) => lines.push(line), NEVER);
  expect(lines).toEqual(['a prompt', 'no end of line']);
  expect(exit).toEqual({ code: 3, signal: null, errors: 'mistake\n', isInterrupted: false });
});

test('a line that is too long is passed over and not held', async () => {
  const lines: (string | undefined)[] = [];
  const script = `head -c 5000000 /dev/zero | tr '\\0' x; echo; echo after`;
  await takeTurn(shell(script), (line) => lines.push(line), NEVER);
  expect(lines).toEqual([undefined, 'after', '']);
});

test('of endless complaints the end is kept', async () => {
  const script = 'i=0; while [ $i -lt 5000 ]; do echo "complaint $i"; i=$((i+1)); done >&2';
  const { errors } = await takeTurn(shell(script), () => undefined, NEVER);
  expect(errors.length).toBeLessThanOrEqual(8_192);
  expect(errors).toMatch(/complaint 4999\n$/);
});

test.each([
  ['asked', 'trap "echo asked; exit 0" INT', 'asked'],
  ['told, where asking does not help', 'trap "" INT; trap "echo told; exit 0" TERM', 'told'],
])('an interrupted turn is %s', async (_name, trap, word) => {
  const { lines, exit } = await interrupted(`${trap}; echo ready; while :; do sleep 0.05; done`);
  expect(lines).toContain(word);
  expect(exit).toMatchObject({ code: 0, isInterrupted: true });
});

test('an interrupted turn is killed, where nothing else helps', async () => {
  const { exit } = await interrupted('trap "" INT TERM; echo ready; while :; do sleep 0.05; done');
  expect(exit).toMatchObject({ signal: 'SIGKILL', isInterrupted: true });
});

test('does not start a turn that is interrupted already', async () => {
  const file = join(scratchFolder(), 'started');
  const exit = await takeTurn(shell(`touch '${file}'`), () => undefined, AbortSignal.abort(), LADDER);
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
  return { lines, exit: await takeTurn(shell(script), hear, interrupt.signal, LADDER) };
}

test('somebody who holds its output open does not hold up its end', async () => {
  const folder = scratchFolder();
  const file = join(folder, 'pid');
  const script = `sleep 60 & echo $! > '${file}'; echo said`;
  const lines: (string | undefined)[] = [];
  const before = Date.now();
  try {
    await takeTurn(shell(script), (line) => lines.push(line), NEVER);
    expect(Date.now() - before).toBeLessThan(20_000);
    expect(lines).toContain('said');
  } finally {
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
  }
});

test('whoever cannot hear it ends it, and says why', async () => {
  const full = new Error('no space left');
  const turn = takeTurn(
    shell('echo ready; exec sleep 60'),
    () => {
      throw full;
    },
    NEVER,
    LADDER,
  );
  await expect(turn).rejects.toBe(full);
});

test('a program that is not there is said with a code', async () => {
  const nobody = { ...shell(''), argv: ['/no/such/program'] as const };
  await expect(takeTurn(nobody, () => undefined, NEVER)).rejects.toMatchObject({ code: 'agent.not_ready' });
});

test('one that does not read its prompt is no fault of ours', async () => {
  const { code } = await takeTurn(shell('exit 0', 'x'.repeat(1_000_000)), () => undefined, NEVER);
  expect(code).toBe(0);
});
