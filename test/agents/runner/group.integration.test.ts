/**
 * Tests that all processes of a worker are found and ended, even those outside its process group.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type GroupMember, openOwnGroup } from '../../../src/agents/runner/group.ts';

/**
 * Acts as a driver in its own process group: lists the group's members and ends them on request.
 */
const DRIVER = `
import { spawn } from 'node:child_process';
import { openOwnGroup } from ${JSON.stringify(join(import.meta.dirname, '../../../src/agents/runner/group.ts'))};
const group = openOwnGroup(process.env);
const before = group.listMembers();
process.stdin.setEncoding('utf8').on('data', async (word) => {
  if (word.startsWith('start')) spawn('sleep', ['300'], { env: {}, stdio: 'ignore' });
  if (word.startsWith('end')) await group.endOthers(before).catch((error) => console.log(error.code));
  console.log(JSON.stringify(group.listMembers()));
});
console.log('ready');
`;

const begun: ChildProcess[] = [];
afterEach(async () => {
  for (const child of begun.splice(0)) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((gone) => child.once('exit', gone));
  }
});

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { env: { PATH, ...env }, detached: true });
  begun.push(child);
  return child;
}

async function driver(marker: string): Promise<{ child: ChildProcess; say(word: string): Promise<string> }> {
  const child = start(process.execPath, ['--input-type=module-typescript', '-e', DRIVER], {
    LEGION_MARKER: marker,
  });
  const next = () =>
    new Promise<string>((resolve) => child.stdout?.once('data', (text) => resolve(String(text).trim())));
  await next();
  const say = (word: string) => {
    const answer = next();
    child.stdin?.write(`${word}\n`);
    return answer;
  };
  return { child, say };
}

test("finds and ends every process with the worker's marker, even if the process has left the group or ignores SIGTERM", async () => {
  const marker = `test/${process.pid}/1/ff`;
  const { child, say } = await driver(marker);
  const tame = start('sleep', ['300'], { LEGION_MARKER: marker });
  const stubborn = start('sh', ['-c', "trap '' TERM; while :; do sleep 1; done"], { LEGION_MARKER: marker });
  const stranger = start('sleep', ['300'], { LEGION_MARKER: `${marker}0` });
  await sleep(200);
  const seen = (JSON.parse(await say('look')) as GroupMember[]).map(({ pid }) => pid);
  expect(seen).toEqual(expect.arrayContaining([tame.pid, stubborn.pid]));
  expect(seen).not.toContain(child.pid);
  expect(seen).not.toContain(process.pid);
  expect(seen).not.toContain(stranger.pid);
  expect(JSON.parse(await say('end'))).toEqual([]);
  expect([tame, stubborn].map(({ pid }) => isThere(pid))).toEqual([false, false]);
  expect(isThere(stranger.pid)).toBe(true);
});

test('spares processes that existed before the worker', async () => {
  const marker = `test/${process.pid}/2/ff`;
  const early = start('sleep', ['300'], { LEGION_MARKER: marker });
  const { say } = await driver(marker);
  const late = start('sleep', ['300'], { LEGION_MARKER: marker });
  await sleep(200);
  const left = JSON.parse(await say('end')) as GroupMember[];
  expect(left.map(({ pid }) => pid)).toEqual([early.pid]);
  expect(isThere(late.pid)).toBe(false);
  expect(left[0]?.ticks).toMatch(/^\d+$/);
});

test("finds a process in the worker's group even if the process has no marker", async () => {
  const { say } = await driver(`test/${process.pid}/3/ff`);
  const [child] = JSON.parse(await say('start')) as GroupMember[];
  expect(isThere(child?.pid)).toBe(true);
  expect(JSON.parse(await say('end'))).toEqual([]);
  expect(isThere(child?.pid)).toBe(false);
});

test('throws if the process list cannot be read, instead of reporting an empty group', () => {
  const group = openOwnGroup({}, import.meta.dirname);
  expect(() => group.listMembers()).toThrow('does not list processes');
  expect(() => openOwnGroup({}, join(import.meta.dirname, 'nowhere')).listMembers()).toThrow(
    'cannot be read',
  );
});

function isThere(pid: number | undefined): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('if another process leads the group, includes only processes with the marker', async () => {
  const { PATH = '' } = process.env;
  const script = 'env -u LEGION_MARKER sleep 300 & "$0" --input-type=module-typescript -e "$1"; true';
  const child = spawn('sh', ['-c', script, process.execPath, DRIVER], {
    env: { PATH, LEGION_MARKER: `test/${process.pid}/9/ff` },
    detached: true,
  });
  const says = () =>
    new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
  try {
    await says();
    const answer = says();
    child.stdin.write('look\n');
    expect(JSON.parse(await answer)).toEqual([]);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});
