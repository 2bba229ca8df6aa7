import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const RUN = join(import.meta.dirname, '../../bench/run.ts');

test('an interrupted benchmark stops its daemon and workers, and removes its files', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'bench-interrupted-'));
  try {
    const child = spawn(process.execPath, [RUN, '--only', 'issue', '--json'], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await waitForProgress(child, 'rehearsal');
    expect(processesOf(scratch, child.pid)).not.toEqual([]);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await exited).toBe(130);
    expect(processesOf(scratch)).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}, 120_000);

/** Progress goes to stderr even with --json. */
function waitForProgress({ stderr }: ChildProcess, step: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    stderr?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes(step)) resolve();
    });
    stderr?.once('end', () => reject(new Error(`The benchmark ended before “${step}”: ${text}`)));
  });
}

/** Pids of processes whose environment or command line contains the folder. */
function processesOf(folder: string, except?: number): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === except) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return (environment + readFileSync(`/proc/${pid}/cmdline`, 'utf8')).includes(folder);
    } catch {
      return false; // it has exited
    }
  });
}
