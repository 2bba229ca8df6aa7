/** What one edit of an issue costs the daemon: from the request to the look at the issue that follows from it. */
import { type BenchContext, waitUntil, withDeadline } from '../bench.ts';
import { type Measurement, median } from '../measurement.ts';
import { followEvents } from './follow-events.ts';
import type { Ask } from './operator.ts';
import { cpuMs } from './process-cost.ts';

const EDITS = 60;
/** Before the first that counts: a daemon is edited for weeks, so it is measured compiled. */
const WARM_UP_EDITS = 40;
/** The first look at 10,000 issues takes some seconds; on a busy machine a minute. */
const FIRST_LOOK_MS = 120_000;
const EDIT_DEADLINE_MS = 30_000;
/** Nothing was written for so long: the first look has ended. */
const QUIET_MS = 1_500;

/** A daemon whose issues are edited. */
export interface EditedDaemon {
  readonly ask: Ask;
  readonly pid: number;
  readonly issues: number;
}

/** The median of the processor time of one edit in ms. */
export interface EditCosts {
  readonly few: number;
  readonly many: number;
}

/** Edits alternate between the two daemons: what slows the machine down for a while slows both. */
export async function compareEdits(
  few: EditedDaemon,
  many: EditedDaemon,
  { signal }: BenchContext,
): Promise<EditCosts> {
  const editors = [await openEditor(few, signal), await openEditor(many, signal)] as const;
  const costs: [number[], number[]] = [[], []];
  try {
    for (let edit = 0; edit < WARM_UP_EDITS + EDITS; edit += 1) {
      for (const which of [0, 1] as const) {
        const cost = await editors[which].edit(edit);
        if (edit >= WARM_UP_EDITS) costs[which].push(cost);
      }
    }
  } finally {
    for (const { close } of editors) await close();
  }
  return { few: median(costs[0]), many: median(costs[1]) };
}

interface Editor {
  /** Resolves to the processor time in ms until the daemon has seen the edit. */
  edit(number: number): Promise<number>;
  close(): Promise<unknown>;
}

async function openEditor({ ask, pid, issues }: EditedDaemon, signal: AbortSignal): Promise<Editor> {
  const { body: stream } = await ask('GET', '/events');
  if (stream === null) throw new Error('The daemon sent no event stream.');
  const events = followEvents(stream, signal);
  return {
    async edit(number) {
      const issue = `BENCH-${issues - (number % 50)}`;
      // Another title for each size: a daemon is measured several times.
      const title = `Edited ${Date.now()} ${number}`;
      const before = cpuMs(pid);
      await ask('PATCH', `/issues/${issue}`, { title });
      await withDeadline(
        async () => {
          for (let isSeen = false; !isSeen; ) {
            const { value: event, done } = await events.next();
            if (done === true) throw new Error('The event stream ended.');
            isSeen = event.type === 'issue.sighted' && event.issue === issue && event.title === title;
          }
        },
        { what: `the daemon to see the edit of ${issue}`, deadlineMs: EDIT_DEADLINE_MS, signal },
      );
      return cpuMs(pid) - before;
    },
    close: () => events.return(undefined),
  };
}

export async function waitForFirstLook(ask: Ask, issues: number, signal: AbortSignal): Promise<void> {
  let version = 0;
  let since = performance.now();
  await waitUntil(
    async () => {
      const health = (await (await ask('GET', '/health')).json()) as { journalVersion: number };
      if (health.journalVersion !== version) since = performance.now();
      version = health.journalVersion;
      return version > issues && performance.now() - since > QUIET_MS;
    },
    { what: `the first look at ${issues} issues`, deadlineMs: FIRST_LOOK_MS, signal },
  );
}

export function editGrowth(few: number, many: number, costs: EditCosts): Measurement {
  const goal = 1.5;
  const ratio = Math.round((costs.many / costs.few) * 100) / 100;
  return {
    name: `an edit among ${many.toLocaleString('en')} issues against ${few.toLocaleString('en')}`,
    value: ratio,
    unit: '×',
    goal: `≤ ${goal}`,
    met: ratio <= goal,
  };
}
