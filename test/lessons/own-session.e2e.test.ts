import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFailed, test } from 'vitest';
import { setUpDaemons } from '../e2e/support/legion.ts';
import { listWorkerProcesses } from '../e2e/support/worker-processes.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { until } from '../support/running-daemon.ts';

const startDaemon = setUpDaemons();

/**
 * Reads the session id, which is field 6 of `/proc/PID/stat`. Skips the program name in
 * parentheses, because it may contain spaces.
 */
function sessionOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}

/**
 * Returns whether the process is the agent itself, and not the runner that waits for it or a
 * short-lived child.
 */
function isAgent(pid: number): boolean {
  try {
    const [, , command] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return command === 'scripted';
  } catch {
    return false; // exited
  }
}

test('killing the daemon with its whole process group, as a terminal or service manager does, kills no worker', async () => {
  const life = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [
      { steps: [{ say: 'thinking' }, { think: '4s' }, { handoff: { summary: 'x' } }, { done: 'planned' }] },
    ],
  });
  const id = await life.add({ status: 'Icebox' });
  await life.stop();
  const { repository, environment, state } = life.legion;
  const daemon = spawn(process.execPath, [LAUNCHER, 'up', '--foreground', '--json'], {
    cwd: repository,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(daemon, 'exit');
  const endGroup = () => process.kill(-(daemon.pid ?? Number.NaN), 'SIGKILL');
  onTestFailed(() => {
    if (daemon.exitCode === null && daemon.signalCode === null) endGroup();
  });
  const [line] = (await once(createInterface(daemon.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const token = readFileSync(join(state, 'token'), 'utf8').trim();
  await fetch(`${url}/issues/${id}/move`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Todo' }),
  });
  const worker = `${id.toLowerCase()}-plan`;
  const agents = async () => listWorkerProcesses(state, worker).filter(isAgent);
  const [agent = 0] = await until(agents, (pids) => pids.length === 1, 100_000);
  endGroup();
  await ended;
  expect(await agents()).toEqual([agent]);
  expect(sessionOf(agent)).not.toBe(daemon.pid);

  await life.start();
  await life.untilStatus(id, 'In Progress');
  const { workers } = await life.detail(id);
  expect(workers.map(({ attempt, status, crashes }) => [attempt, status, crashes])).toEqual([
    [1, 'finished', 0],
  ]);
});
