/** Hundreds of issues through one daemon: what each of them leaves behind in it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type BenchContext, withDeadline } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import { followEvents } from '../support/follow-events.ts';
import { install } from '../support/installed.ts';
import { type BenchLegion, benchLegion, FEATURE, waitForCleanWorkspaces } from '../support/legion.ts';
import { INSPECTABLE, liveHeapMb } from '../support/live-heap.ts';
import { type Ask, approveCommands, asking } from '../support/operator.ts';
import { inotifyWatches, rssMb } from '../support/process-cost.ts';

interface SoakSize {
  /** After these the daemon has met everything it will meet. */
  readonly first: number;
  readonly all: number;
}
const FULL: SoakSize = { first: 50, all: 500 };
/** Shows that it still ends; growth over so few issues says nothing. */
const SHORT: SoakSize = { first: 4, all: 12 };
/** More at once than a machine with two cores can work on would only make each of them slower. */
const AT_ONCE = 4;

const RSS_GROWTH_GOAL_MB = 40;
/** A finished issue is kept for two weeks: some hundred a day must fit into some ten megabytes. */
const HEAP_GROWTH_GOAL_KB = 25;
const WATCHES_GROWTH_GOAL = 10;

const ISSUE_DEADLINE_MS = 300_000;
/** The last processes of the last issue have ended and were noticed. */
const SETTLED_MS = 3_000;

interface Sample {
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
    const made = benchLegion({ commands: true });
    const legion: BenchLegion = { ...made, environment: { ...made.environment, ...INSPECTABLE } };
    try {
      context.progress('building');
      const { up } = await install(legion, context.signal);
      const daemon = await up();
      const ask = asking(daemon);
      await approveCommands(ask);
      const sample = async (): Promise<Sample> => {
        await waitForCleanWorkspaces(legion, context.signal);
        await sleep(SETTLED_MS, undefined, { signal: context.signal });
        const seen = { rss: rssMb(daemon.pid), watches: inotifyWatches(daemon.pid) };
        const heap = await liveHeapMb(daemon.pid, join(legion.state, 'daemon.log'), context.signal);
        context.progress(`${seen.rss} MB resident, ${heap} MB live, ${seen.watches} watches`);
        return { ...seen, heap };
      };
      await runIssues(ask, 0, first, context);
      const early = await sample();
      await runIssues(ask, first, all, context);
      return figures(early, await sample(), { first, all });
    } finally {
      await legion.dispose();
    }
  },
};

/** Numbers `from` + 1 … `to`; resolves when all of them are done. */
async function runIssues(
  ask: Ask,
  from: number,
  to: number,
  { signal, progress }: BenchContext,
): Promise<void> {
  const { body: stream } = await ask('GET', '/events');
  if (stream === null) throw new Error('The daemon sent no event stream.');
  const events = followEvents(stream, signal);
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

function figures(early: Sample, late: Sample, { first, all }: SoakSize): Measurement[] {
  const growth = late.rss - early.rss;
  const heapKb = Math.round(((late.heap - early.heap) * 1_000) / (all - first));
  const watches = late.watches - early.watches;
  return [
    { name: `memory after ${first} issues`, value: early.rss, unit: 'MB', goal: 'none', met: true },
    {
      name: `memory after ${all} issues, more than after ${first}`,
      value: growth,
      unit: 'MB',
      goal: `≤ ${RSS_GROWTH_GOAL_MB}`,
      met: growth <= RSS_GROWTH_GOAL_MB,
    },
    { name: `live heap after ${all} issues`, value: late.heap, unit: 'MB', goal: 'none', met: true },
    {
      name: 'live heap that each further issue adds',
      value: heapKb,
      unit: 'kB',
      goal: `≤ ${HEAP_GROWTH_GOAL_KB}`,
      met: heapKb <= HEAP_GROWTH_GOAL_KB,
    },
    {
      name: `file watches after ${all} issues, more than after ${first}`,
      value: watches,
      unit: '',
      goal: `≤ ${WATCHES_GROWTH_GOAL}`,
      met: watches <= WATCHES_GROWTH_GOAL,
    },
  ];
}
