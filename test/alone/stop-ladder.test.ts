import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { setUpDaemons } from '../e2e/support/legion.ts';
import { listProcesses } from '../support/end-workers.ts';
import { until } from '../support/running-daemon.ts';
import { listenToEvents } from './event-listening.ts';
import { RETRIED_TIME_LIMIT } from './retried-time-limit.ts';

const startDaemon = setUpDaemons();

/**
 * The documented limit: ten seconds from TERM to KILL, plus at most one second to drain the output.
 */
const MAX_LADDER_MS = 11_000;
const TERM_TO_KILL_MS = 10_000;

/** A worker that records the time of each TERM and keeps running. */
const DEAF = `trap 'date +%s%3N >>../../../../../told' TERM; echo deaf; while :; do sleep 0.05; done`;

test(
  "within eleven seconds of TERM, stops a worker that ignores TERM, even if a helper process keeps the worker's output open",
  RETRIED_TIME_LIMIT,
  async () => {
    // Uses the default limits. Only the grace period before TERM is shortened.
    const daemon = await startDaemon({
      yaml: 'limits: { per_mode: { implement: 0 } }\nhealth: { stop_grace: 0s }\n',
      scenario: [
        {
          steps: [
            { ignore_term: true },
            { escape: '60s' },
            { say: 'deaf' },
            { run: { argv: ['sh', '-c', DEAF], timeout: '600s' } },
          ],
        },
      ],
    });
    await daemon.stop();
    await daemon.startProcess();
    const listening = await listenToEvents(daemon.client);
    const id = await daemon.add({ status: 'Todo' });
    const workers = () => daemon.client.get<WorkerView[]>('/workers');
    const [worker] = await until(workers, ([found]) => found?.status === 'executing', 60_000);
    const { pid = 0 } = worker ?? {};
    // Waits for the agent and its shell. The helper has left their process group.
    await until(
      async () => groupOf(daemon.legion.state, pid),
      (group) => group.length >= 2,
    );
    const [helper = 0] = listProcesses(daemon.legion.state).filter((each) =>
      wordsOf(each).startsWith('sleep\u000060'),
    );
    expect(helper).toBeGreaterThan(0);

    await daemon.client.post('/pause', { by: 'Ada' });
    await daemon.client.request('DELETE', `/workers/${id}-plan`);
    const told = join(daemon.legion.folder, 'told');
    await until(
      async () => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'),
      (isTold) => isTold,
    );
    const toldAt = Number(readFileSync(told, 'utf8').split('\n')[0]);
    const since = () => Date.now() - toldAt;
    await until(
      async () => groupOf(daemon.legion.state, pid),
      (group) => group.length === 0,
      2 * MAX_LADDER_MS,
    );
    const gone = since();
    await listening.until(({ type }) => type === 'attempt.zombie' || type === 'attempt.exited');
    const over = since();
    await listening.close();
    expect(gone).toBeGreaterThanOrEqual(TERM_TO_KILL_MS - 100);
    expect(over, `gone ${gone} ms and recorded in the journal ${over} ms after TERM`).toBeLessThanOrEqual(
      MAX_LADDER_MS,
    );
  },
);

/** Returns the members of this process group, even if its leader has exited. */
function groupOf(state: string, pid: number): readonly number[] {
  return listProcesses(state).filter((each) => {
    const [status, , group] = read(`/proc/${each}/stat`)
      .replace(/^.*\) /, '')
      .split(' ');
    return group === String(pid) && status !== 'Z';
  });
}

function wordsOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has exited
  }
}
