/** Starts a process that looks like a worker but was not started by a host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { NewProcess } from '../../../src/ports/host.ts';

export interface Decoy {
  readonly pid: number;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

export async function decoy({ argv, cwd }: NewProcess, env: Record<string, string> = {}): Promise<Decoy> {
  const [program, ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: 'ignore',
  });
  const over = once(child, 'exit');
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async end() {
      child.kill('SIGKILL');
      await over;
    },
  };
}
