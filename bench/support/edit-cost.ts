/**
 * Measures what one issue edit costs the daemon, from the request to the end of the reconcile pass
 * it triggers.
 */
import { type BenchContext, waitUntil, withDeadline } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';
import { readDaemonEvents } from './follow-events.ts';
import type { OperatorRequest } from './operator.ts';
import { readCpuMs } from './process-cost.ts';

const EDITS = 60;
/**
 * Number of edits before the first measured one. A daemon runs for weeks, so it is measured only
 * after its code has been compiled.
 */
const WARM_UP_EDITS = 40;
/** The first pass over 10,000 issues takes a few seconds, or a minute on a busy machine. */
const MAX_INITIAL_PASS_MS = 120_000;
const EDIT_DEADLINE_MS = 30_000;
/** Once nothing has been written for this long, the first pass has ended. */
const QUIET_MS = 1_500;

/** A daemon whose issues are edited. */
export interface EditedDaemon {
  readonly ask: OperatorRequest;
  readonly pid: number;
  readonly issues: number;
}

/** Median processor time of one edit in ms. */
export interface EditCosts {
  readonly few: number;
  readonly many: number;
}

/**
 * Alternates edits between the two daemons, so that a temporary slowdown of the machine affects
 * both.
 */
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
  return { few: computeMedian(costs[0]), many: computeMedian(costs[1]) };
}

interface IssueEditor {
  /**
   * Edits an issue. Resolves to the processor time in ms until the daemon has recorded the edit.
   */
  edit(number: number): Promise<number>;
  close(): Promise<unknown>;
}

async function openEditor({ ask, pid, issues }: EditedDaemon, signal: AbortSignal): Promise<IssueEditor> {
  const { body: stream } = await ask('GET', '/events');
  if (stream === null) throw new Error('The daemon sent no event stream.');
  const events = readDaemonEvents(stream, signal);
  return {
    async edit(number) {
      const issue = `BENCH-${issues - (number % 50)}`;
      // Uses a new title for each edit, because the same daemon is measured several times and an
      // unchanged title would not be an edit.
      const title = `Edited ${Date.now()} ${number}`;
      const before = readCpuMs(pid);
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
      return readCpuMs(pid) - before;
    },
    close: () => events.return(undefined),
  };
}

export async function waitForInitialPass(
  ask: OperatorRequest,
  issues: number,
  signal: AbortSignal,
): Promise<void> {
  let version = 0;
  let since = performance.now();
  await waitUntil(
    async () => {
      const health = (await (await ask('GET', '/health')).json()) as { journalVersion: number };
      if (health.journalVersion !== version) since = performance.now();
      version = health.journalVersion;
      return version > issues && performance.now() - since > QUIET_MS;
    },
    { what: `the first pass over ${issues} issues`, deadlineMs: MAX_INITIAL_PASS_MS, signal },
  );
}

export function toEditGrowthMeasurement(few: number, many: number, costs: EditCosts): Measurement {
  const goal = 1.5;
  const ratio = Math.round((costs.many / costs.few) * 100) / 100;
  return {
    name: `an edit among ${many.toLocaleString('en')} issues compared with ${few.toLocaleString('en')}`,
    value: ratio,
    unit: '×',
    goal: `≤ ${goal}`,
    met: ratio <= goal,
  };
}
