/** Lets an implementer's report, or a merge, wait for the quality gate as long as its call may take. */
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, workerId } from '../../core/model/ids.ts';
import { inWords } from '../../health/words.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import type { WorkerIdentity } from '../daemon.ts';
import { findHeadWithoutGate } from '../merging/check-merge.ts';
import type { GateRun } from '../merging/quality-gates.ts';
import { type Judged, judge, judgeReport } from '../reports/judge-report.ts';
import type { World } from '../world.ts';

/** Agents end a tool after one or two minutes, and the worker's own side gives up after 55 s. */
const MAX_WAIT_MS = 25_000;

/**
 * Rejects with `worker.gate_running` where the gate takes longer: the same call again attaches to the same run. `known` is the
 * workspace as it was when the report came.
 */
export async function judgeWithGate(world: World, who: WorkerIdentity, known?: Standing): Promise<Judged> {
  const { clock, gates } = world;
  const id = workerId(who.issue, who.mode);
  const deadline = clock.monotonic() + MAX_WAIT_MS;
  let seen = known;
  for (;;) {
    const judged = await judge(world, id, 'run_gate', 'heard', seen);
    if (judged.verdict !== 'gate_due') return judged;
    const run = gates.run(who.issue, judged.sha, judged.standing);
    if (await endsWithin(world, run, deadline - clock.monotonic())) {
      const result = await run.ended;
      seen = result.recorded ? result.standing : undefined;
      continue;
    }
    // The report is durable: it is judged when the run ends, whether or not its worker calls again.
    if (run.isNew) void run.ended.then(() => judgeReport(world, id)).catch(() => undefined);
    throw stillRunning(world, who.issue);
  }
}

/**
 * A rebase leaves a head at which nothing has run. Without CI only the quality gate can vouch for it, so it runs here
 * instead of costing a round. Rejects with `worker.gate_running` like `judgeWithGate`.
 */
export async function runGateBeforeMerge(world: World, { issue }: WorkerIdentity): Promise<void> {
  const sha = await findHeadWithoutGate(world, issue);
  if (sha === undefined) return;
  const isOver = await endsWithin(world, world.gates.run(issue, sha), MAX_WAIT_MS);
  if (!isOver) throw stillRunning(world, issue);
}

async function endsWithin({ clock }: World, { ended }: GateRun, ms: number): Promise<boolean> {
  if (ms <= 0) return false;
  const stop = new AbortController();
  const late = clock.sleep(ms, stop.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    stop.abort();
  }
}

function stillRunning({ gates, clock }: World, issue: IssueId): LegionError {
  const since = gates.runningSince(issue);
  const how = since === undefined ? '' : ` for ${inWords(clock.now() - since)}`;
  return new LegionError('worker.gate_running', `the quality gate of ${issue} has been running${how}`);
}
