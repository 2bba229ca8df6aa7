import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import type { WorkerView } from '../../src/protocol/operator.ts';
import { giveWord, waitForWord } from '../daemon/life/signs.ts';
import { type Life, stage } from '../e2e/support/legion.ts';
import { until } from '../support/running-daemon.ts';
import { type Listening, listen } from './event-listening.ts';
import { PROMISED_IN_SECONDS } from './shared-machine.ts';

const begin = stage();

const EACH = 20;
const AT_ONCE = 4;
/** What is promised. */
const SEEN_MOST_MS = 1_000;
/** How often a process is looked for that is about to end. */
const DEATH_LOOK_MS = 1;

const WAYS = ['is killed', 'is killed after its runner', 'ends by itself'] as const;
type Way = (typeof WAYS)[number];

/** One life an issue: whoever has ended without a report is not started again. */
const YAML = `limits: { workers: ${AT_ONCE}, respawns: 0, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, loop_crashes: 1000, breaker_crashes: 1000 }
`;

const ISSUE = `\${issue}`;

test.each(WAYS)(
  'that a worker is no more is in the journal within a second: one that %s',
  PROMISED_IN_SECONDS,
  async (way) => {
    const life = await begin({
      yaml: YAML,
      scenario: [{ steps: [{ say: 'at work' }, waitForWord(ISSUE), { exit: 0 }] }],
    });
    await life.stop();
    await life.startApart();
    const listening = await listen(life.door);
    try {
      const took = await deaths(life, listening, way);
      const [middle, longest] = [took[Math.floor(took.length / 2)], took.at(-1)];
      expect(took).toHaveLength(EACH);
      expect(longest, `p50 ${middle} ms, longest ${longest} ms`).toBeLessThanOrEqual(SEEN_MOST_MS);
    } finally {
      await listening.leave();
    }
  },
);

/** In milliseconds, shortest first. */
async function deaths(life: Life, listening: Listening, way: Way): Promise<readonly number[]> {
  const took: number[] = [];
  const ids: string[] = [];
  for (let each = 0; each < EACH; each += 1) ids.push(await life.add({ status: 'Todo' }));
  for (const id of ids) {
    const isOver = ({ type, ...event }: Event) =>
      type === 'attempt.exited' && 'issue' in event && event.issue === id;
    const pid = await untilAtWork(life, id);
    const died = await die(life, id, pid, way);
    took.push(Math.round((await listening.until(isOver)) - died));
  }
  return took.toSorted((one, other) => one - other);
}

async function untilAtWork({ door }: Life, id: string): Promise<number> {
  const worker = await until(
    async () => (await door.get<WorkerView[]>('/workers')).find(({ issue }) => issue === id),
    (found) => found?.status === 'executing',
    60_000,
  );
  return worker?.pid ?? 0;
}

/** Resolves to when it was gone. */
async function die({ legion }: Life, id: string, pid: number, way: Way): Promise<number> {
  const runner = parentOf(pid);
  if (way === 'is killed after its runner') process.kill(runner ?? 0, 'SIGKILL');
  if (way === 'ends by itself') giveWord(legion, id);
  else process.kill(pid, 'SIGKILL');
  while (parentOf(pid) !== undefined) await sleep(DEATH_LOOK_MS);
  return performance.now();
}

/** Undefined where there is no such process, or only its exit status. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
