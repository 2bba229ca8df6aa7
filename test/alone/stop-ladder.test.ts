import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../src/protocol/operator.ts';
import { stage } from '../e2e/support/legion.ts';
import { processesOf } from '../support/end-workers.ts';
import { until } from '../support/running-daemon.ts';
import { listen } from './event-listening.ts';
import { PROMISED_IN_SECONDS } from './shared-machine.ts';

const begin = stage();

/** What is promised: ten seconds from TERM to KILL, at most one of drain. */
const LADDER_MOST_MS = 11_000;
const TERM_TO_KILL_MS = 10_000;

/** Writes down when it was told to end, and goes on. */
const DEAF = `trap 'date +%s%3N >>../../../../../told' TERM; echo deaf; while :; do sleep 0.05; done`;

test(
  'a worker that will not end, and leaves a helper with its output behind, is stopped eleven seconds after TERM',
  PROMISED_IN_SECONDS,
  async () => {
    // The default limits; only the asking before it is cut short.
    const life = await begin({
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
    await life.stop();
    await life.startApart();
    const listening = await listen(life.door);
    const id = await life.add({ status: 'Todo' });
    const workers = () => life.door.get<WorkerView[]>('/workers');
    const [worker] = await until(workers, ([found]) => found?.status === 'executing', 60_000);
    const { pid = 0 } = worker ?? {};
    // The agent and the shell it waits for; the helper has gone its own way.
    await until(
      async () => groupOf(life.legion.state, pid),
      (group) => group.length >= 2,
    );
    const [helper = 0] = processesOf(life.legion.state).filter((each) =>
      wordsOf(each).startsWith('sleep\u000060'),
    );
    expect(helper).toBeGreaterThan(0);

    await life.door.post('/pause', { by: 'Ada' });
    await life.door.request('DELETE', `/workers/${id}-plan`);
    const told = join(life.legion.folder, 'told');
    await until(
      async () => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'),
      (isTold) => isTold,
    );
    const toldAt = Number(readFileSync(told, 'utf8').split('\n')[0]);
    const since = () => Date.now() - toldAt;
    await until(
      async () => groupOf(life.legion.state, pid),
      (group) => group.length === 0,
      2 * LADDER_MOST_MS,
    );
    const gone = since();
    await listening.until(({ type }) => type === 'attempt.zombie' || type === 'attempt.exited');
    const over = since();
    await listening.leave();
    expect(gone).toBeGreaterThanOrEqual(TERM_TO_KILL_MS - 100);
    expect(over, `gone ${gone} ms, in the journal ${over} ms after TERM`).toBeLessThanOrEqual(LADDER_MOST_MS);
  },
);

/** Who is in the group of this process, also without its leader. */
function groupOf(state: string, pid: number): readonly number[] {
  return processesOf(state).filter((each) => {
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
    return ''; // it has ended
  }
}
