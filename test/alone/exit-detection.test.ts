import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { setUpDaemons, type TestDaemon } from '../e2e/support/legion.ts';
import { sendSignal, waitForSignal } from '../e2e/support/worker-signals.ts';
import { until } from '../support/running-daemon.ts';
import { type EventListening, listenToEvents } from './event-listening.ts';
import { RETRIED_TIME_LIMIT } from './retried-time-limit.ts';

const startDaemon = setUpDaemons();

const EXITS = 20;
const AT_ONCE = 4;
/** Maximum delay between an exit and its record in the journal, as the documentation promises. */
const MAX_EXIT_DELAY_MS = 1_000;
/** Polling interval for a process that is about to exit. */
const EXIT_POLL_MS = 1;

const EXIT_WAYS = ['is killed', 'is killed after its runner', 'ends by itself'] as const;
type ExitWay = (typeof EXIT_WAYS)[number];

/** One attempt per issue: a worker that exits without a report is not restarted. */
const YAML = `limits: { workers: ${AT_ONCE}, respawns: 0, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, loop_crashes: 1000, breaker_crashes: 1000 }
`;

const ISSUE = `\${issue}`;

test.each(EXIT_WAYS)(
  'records the exit of a worker within a second if the worker %s',
  RETRIED_TIME_LIMIT,
  async (way) => {
    const daemon = await startDaemon({
      yaml: YAML,
      scenario: [{ steps: [{ say: 'at work' }, waitForSignal(ISSUE), { exit: 0 }] }],
    });
    await daemon.stop();
    await daemon.startProcess();
    const listening = await listenToEvents(daemon.client);
    try {
      const took = await measureExits(daemon, listening, way);
      const [middle, longest] = [took[Math.floor(took.length / 2)], took.at(-1)];
      expect(took).toHaveLength(EXITS);
      expect(longest, `p50 ${middle} ms, longest ${longest} ms`).toBeLessThanOrEqual(MAX_EXIT_DELAY_MS);
    } finally {
      await listening.close();
    }
  },
);

/** Returns the delays until each exit was recorded, in ms, shortest first. */
async function measureExits(
  daemon: TestDaemon,
  listening: EventListening,
  way: ExitWay,
): Promise<readonly number[]> {
  const took: number[] = [];
  const ids: string[] = [];
  for (let each = 0; each < EXITS; each += 1) ids.push(await daemon.add({ status: 'Todo' }));
  for (const id of ids) {
    const isOver = ({ type, ...event }: Event) =>
      type === 'attempt.exited' && 'issue' in event && event.issue === id;
    const pid = await untilExecuting(daemon, id);
    const died = await endWorker(daemon, id, pid, way);
    took.push(Math.round((await listening.until(isOver)) - died));
  }
  return took.toSorted((one, other) => one - other);
}

async function untilExecuting({ client }: TestDaemon, id: string): Promise<number> {
  const worker = await until(
    async () => (await client.get<WorkerView[]>('/workers')).find(({ issue }) => issue === id),
    (found) => found?.status === 'executing',
    60_000,
  );
  return worker?.pid ?? 0;
}

/** Makes the worker exit in the given way. Resolves to the time at which its process was gone. */
async function endWorker({ legion }: TestDaemon, id: string, pid: number, way: ExitWay): Promise<number> {
  const runner = findParent(pid);
  if (way === 'is killed after its runner') process.kill(runner ?? 0, 'SIGKILL');
  if (way === 'ends by itself') sendSignal(legion, id);
  else process.kill(pid, 'SIGKILL');
  while (findParent(pid) !== undefined) await sleep(EXIT_POLL_MS);
  return performance.now();
}

/** Returns the parent of a process. Undefined if there is no such process, or if it is a zombie. */
function findParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
