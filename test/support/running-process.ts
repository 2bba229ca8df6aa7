/** The daemon in a process of its own, as `legion up --foreground` makes it, so that it can be killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LAUNCHER } from '../installed/launcher.ts';
import { openDoor } from './http-client.ts';
import type { Running, TestLegion } from './running-daemon.ts';

export interface RunningApart extends Running {
  /** At once and without a word; resolves when it is gone. */
  kill(): Promise<void>;
}

type Place = Pick<TestLegion, 'repository' | 'state' | 'environment'>;

export async function startApart({ repository, state, environment }: Place): Promise<RunningApart> {
  const child = spawn(process.execPath, [LAUNCHER, 'up', '--foreground', '--json'], {
    cwd: repository,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const log: string[] = [];
  createInterface(child.stderr).on('line', (line) => log.push(line));
  const first = once(createInterface(child.stdout), 'line');
  const [line] = (await Promise.race([first, ended])) as unknown[];
  if (typeof line !== 'string') throw new Error(`the daemon did not come up:\n${log.join('\n')}`);
  const { url } = JSON.parse(line) as { url: string };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  return {
    ...openDoor(url, readFileSync(join(state, 'token'), 'utf8').trim()),
    log,
    async stop() {
      await end('SIGTERM');
      return 'stopped';
    },
    kill: () => end('SIGKILL'),
  };
}
