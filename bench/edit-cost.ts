/** What one edit of an issue costs the daemon: from the request to the look at the issue that follows from it. */
import { type BenchContext, waitUntil, withDeadline } from './bench.ts';
import { followEvents } from './follow-events.ts';
import { type Measurement, median } from './measurement.ts';
import { type Ask, approveCommands } from './operator.ts';
import { cpuMs } from './process-cost.ts';

const EDITS = 60;
/** Before the first that counts: a daemon is edited for weeks, so it is measured compiled. */
const WARM_UP_EDITS = 40;
/** The first look at 10,000 issues takes some seconds; on a busy machine a minute. */
const FIRST_LOOK_MS = 120_000;
const EDIT_DEADLINE_MS = 30_000;
/** Nothing was written for so long: the first look has ended. */
const QUIET_MS = 1_500;

/** Resolves to the median of the processor time in ms: other programs on the machine do not change it. */
export async function editCost(
  ask: Ask,
  pid: number,
  issues: number,
  { signal }: BenchContext,
): Promise<number> {
  await approveCommands(ask);
  await waitForFirstLook(ask, issues, signal);
  const { body: stream } = await ask('GET', '/events');
  if (stream === null) throw new Error('The daemon sent no event stream.');
  const events = followEvents(stream, signal);
  const costs: number[] = [];
  try {
    for (let edit = 0; edit < WARM_UP_EDITS + EDITS; edit += 1) {
      const issue = `BENCH-${issues - (edit % 50)}`;
      const title = `Edited ${edit}`;
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
      if (edit >= WARM_UP_EDITS) costs.push(cpuMs(pid) - before);
    }
  } finally {
    await events.return(undefined);
  }
  return median(costs);
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

export function editGrowth(few: number, fewMs: number, many: number, manyMs: number): Measurement {
  const goal = 1.5;
  const ratio = Math.round((manyMs / fewMs) * 100) / 100;
  return {
    name: `an edit among ${many.toLocaleString('en')} issues against ${few.toLocaleString('en')}`,
    value: ratio,
    unit: '×',
    goal: `≤ ${goal}`,
    met: ratio <= goal,
  };
}
