/**
 * The daemon in a separate process, as `legion up --foreground` starts it, so that it can be
 * killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LAUNCHER } from '../installed/launcher.ts';
import { openApiClient } from './http-client.ts';
import type { RunningDaemon, TestLegion } from './running-daemon.ts';

export interface RunningProcess extends RunningDaemon {
  /** Kills the daemon at once. Resolves when it has exited. */
  kill(): Promise<void>;
}

type LegionDirectories = Pick<TestLegion, 'repository' | 'state' | 'environment'>;

export async function startDaemonProcess({
  repository,
  state,
  environment,
}: LegionDirectories): Promise<RunningProcess> {
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
  if (typeof line !== 'string') throw new Error(`the daemon did not start:\n${log.join('\n')}`);
  const { url } = JSON.parse(line) as { url: string };
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  return {
    ...openApiClient(url, readFileSync(join(state, 'token'), 'utf8').trim()),
    log,
    async stop() {
      await end('SIGTERM');
      return 'stopped';
    },
    kill: () => end('SIGKILL'),
  };
}
