import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SEED } from '../ports/host/random.ts';

const HARNESS = join(import.meta.dirname, '../../chaos/run.ts');
const [KILLS, ISSUES] = [10, 6];
/**
 * The test takes half a minute on a quiet machine. The harness's own time limits are far shorter
 * than this timeout and would end the test first.
 */
const MAX_TEST_MS = 600_000;

test(
  'ten kills of the daemon, workers and runners during six issues violate no guarantee',
  async () => {
    const args = ['--kills', String(KILLS), '--issues', String(ISSUES), '--seed', String(SEED), '--json'];
    const child = spawn(process.execPath, [HARNESS, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, progress] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const { ok, kills, issues, wrong } = JSON.parse(out) as Record<string, unknown> & {
      kills: Record<string, number>;
    };
    expect(wrong, `--seed ${SEED}\n${progress}`).toEqual([]);
    expect([ok, child.exitCode]).toEqual([true, 0]);
    expect(issues).toBeGreaterThanOrEqual(ISSUES);
    expect(Object.values(kills).reduce((sum, each) => sum + each)).toBeGreaterThanOrEqual(KILLS);
    expect(progress).toContain(`--seed ${SEED}`);
    expect(progress).toMatch(/^10 of 10 kills \(daemon \d+, workers \d+, runners \d+\); /m);
  },
  MAX_TEST_MS,
);

test(
  'an interrupted run of the kill harness leaves no processes or files behind',
  async () => {
    const child = spawn(process.execPath, [HARNESS, '--kills', '100'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const over = once(child, 'close');
    const lines: string[] = [];
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('10 of 100')) child.kill('SIGINT');
    });
    expect(await text(child.stdout)).toBe('');
    await over;
    expect([child.exitCode, lines.at(-1)]).toEqual([
      130,
      'chaos: interrupted; all of its processes have been stopped',
    ]);
    const folder = lines.find((line) => line.includes(' is in '))?.replace(/^.* is in /, '') ?? '/';
    expect(existsSync(folder)).toBe(false);
    expect(processesOf(folder)).toEqual([]);
  },
  MAX_TEST_MS,
);

/** Returns the processes with this directory in their environment or command line. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      ['environ', 'cmdline'].some((name) => read(`/proc/${pid}/${name}`).includes(folder)),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has exited or belongs to another user
  }
}
