/**
 * Runs hundreds of issues through one daemon, and measures the memory and file watches that
 * finished issues leave behind.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type BenchContext, withDeadline } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import { readDaemonEvents } from '../support/follow-events.ts';
import { install } from '../support/installed.ts';
import { type BenchLegion, createBenchLegion, FEATURE, waitForCleanWorkspaces } from '../support/legion.ts';
import { INSPECTABLE, readLiveHeapMb } from '../support/live-heap.ts';
import { approveCommands, createOperatorRequest, type OperatorRequest } from '../support/operator.ts';
import { countInotifyWatches, readRssMb } from '../support/process-cost.ts';

interface SoakSize {
  /** Number of warm-up issues, which exercise every code path of the daemon. */
  readonly first: number;
  readonly all: number;
}
const FULL: SoakSize = { first: 50, all: 500 };
/**
 * A short run only shows that the benchmark finishes. The growth over so few issues is meaningless.
 */
const SHORT: SoakSize = { first: 4, all: 12 };
/**
 * Number of concurrent issues. With more, they would only slow each other down on a machine with
 * two cores.
 */
const AT_ONCE = 4;

const RSS_GROWTH_GOAL_MB = 40;
/**
 * A finished issue is kept for two weeks. With a few hundred issues a day, all finished issues
 * together must fit into tens of megabytes.
 */
const HEAP_GROWTH_GOAL_KB = 25;
const WATCHES_GROWTH_GOAL = 10;

const ISSUE_DEADLINE_MS = 300_000;
/** Long enough for the last issue's processes to exit and for the daemon to notice. */
const SETTLED_MS = 3_000;

interface MemorySample {
  readonly rss: number;
  readonly heap: number;
  readonly watches: number;
}

export const soakBench: Bench = {
  name: 'soak',
  description: 'memory and watches of one daemon after hundreds of issues',
  deadlineMs: 3_600_000,
  async run(context) {
    const { first, all } = context.short ? SHORT : FULL;
    const made = createBenchLegion({ commands: true });
    const legion: BenchLegion = { ...made, environment: { ...made.environment, ...INSPECTABLE } };
    try {
      context.progress('building');
      const { up } = await install(legion, context.signal);
      const daemon = await up();
      const ask = createOperatorRequest(daemon);
      await approveCommands(ask);
      const sample = async (): Promise<MemorySample> => {
        await waitForCleanWorkspaces(legion, context.signal);
        await sleep(SETTLED_MS, undefined, { signal: context.signal });
        const seen = { rss: readRssMb(daemon.pid), watches: countInotifyWatches(daemon.pid) };
        const heap = await readLiveHeapMb(daemon.pid, join(legion.state, 'daemon.log'), context.signal);
        context.progress(`${seen.rss} MB resident, ${heap} MB live, ${seen.watches} watches`);
        return { ...seen, heap };
      };
      await runIssues(ask, 0, first, context);
      const early = await sample();
      await runIssues(ask, first, all, context);
      return toMeasurements(early, await sample(), { first, all });
    } finally {
      await legion.dispose();
    }
  },
};

/** Runs issues `from` + 1 to `to` and resolves when all of them are Done. */
async function runIssues(
  ask: OperatorRequest,
  from: number,
  to: number,
  { signal, progress }: BenchContext,
): Promise<void> {
  const { body: stream } = await ask('GET', '/events');
  if (stream === null) throw new Error('The daemon sent no event stream.');
  const events = readDaemonEvents(stream, signal);
  let next = from;
  let left = to - from;
  const add = async () => {
    next += 1;
    await ask('POST', '/issues', { ...FEATURE, title: `Greet person ${next}` });
  };
  try {
    while (next < Math.min(to, from + AT_ONCE)) await add();
    while (left > 0) {
      await withDeadline(
        async () => {
          for (;;) {
            const { value: event, done } = await events.next();
            if (done === true) throw new Error('The event stream ended.');
            if (event.type === 'issue.sighted' && event.status === 'Done') return;
          }
        },
        { what: 'the next issue to be Done', deadlineMs: ISSUE_DEADLINE_MS, signal },
      );
      left -= 1;
      if ((to - left) % 10 === 0) progress(`${to - left} issues done`);
      if (next < to) await add();
    }
  } finally {
    await events.return(undefined);
  }
}

function toMeasurements(early: MemorySample, late: MemorySample, { first, all }: SoakSize): Measurement[] {
  const growth = late.rss - early.rss;
  const heapKb = Math.round(((late.heap - early.heap) * 1_000) / (all - first));
  const watches = late.watches - early.watches;
  return [
    { name: `memory after ${first} issues`, value: early.rss, unit: 'MB', goal: 'none', met: true },
    {
      name: `extra memory after ${all} issues, compared with ${first}`,
      value: growth,
      unit: 'MB',
      goal: `≤ ${RSS_GROWTH_GOAL_MB}`,
      met: growth <= RSS_GROWTH_GOAL_MB,
    },
    { name: `live heap after ${all} issues`, value: late.heap, unit: 'MB', goal: 'none', met: true },
    {
      name: 'live heap added by each further issue',
      value: heapKb,
      unit: 'kB',
      goal: `≤ ${HEAP_GROWTH_GOAL_KB}`,
      met: heapKb <= HEAP_GROWTH_GOAL_KB,
    },
    {
      name: `extra file watches after ${all} issues, compared with ${first}`,
      value: watches,
      unit: '',
      goal: `≤ ${WATCHES_GROWTH_GOAL}`,
      met: watches <= WATCHES_GROWTH_GOAL,
    },
  ];
}
