/** May a worker start at an operator's word? Nobody else may be at the issue, and there must be room. */
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { type IssueId, workerId } from '../../../core/model/ids.ts';
import { Starts } from '../../../core/state/starts.ts';
import type { Swarm, WorkerRecord } from '../../../core/state/state.ts';
import { isLive, isWaiting, lifecycleOf } from '../../../domain/lifecycle.ts';
import type { Mode } from '../../../domain/mode.ts';
import type { Refusal } from '../../../swarm/chain.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { explainWait } from '../../../swarm/explain-wait.ts';
import type { GlobalHold } from '../../../swarm/fleet-state.ts';
import { workersOf } from '../../../swarm/workers.ts';
import { reasonInWords } from '../../present/reason.ts';
import { startContext } from '../../start-context.ts';
import type { World } from '../../world.ts';

/** How often a start may find that another was faster: some ten seconds, after which the person is better told. */
const STAGGER_TRIES = 5;

/** An agent's program answers within a second or two; after twenty the person is better told. */
const ASKED_PAUSE_MS = 100;
const ASKED_TRIES = 200;

/** The worker that is live, or waits and so holds its place: nothing may be started beside it. */
export function workerAt(swarm: Swarm, issue: IssueId): WorkerRecord | undefined {
  return workersOf(swarm, issue).find(({ facts }) => {
    const state = lifecycleOf(facts);
    return isLive(state) || isWaiting(state);
  });
}

export function refuseWhileTaken(swarm: Swarm, issue: IssueId, mode: Mode): void {
  const at = workerAt(swarm, issue);
  if (at === undefined) return;
  const other = at.mode === mode ? '' : `; ${mode} would work beside it`;
  throw new LegionError(
    'worker.exists',
    `${workerId(issue, at.mode)} is ${lifecycleOf(at.facts)} in attempt ${at.attempt}${other}`,
  );
}

/** `written`: the labels on the board. A hold counts as soon as it is in the journal. */
export function refusePausedIssue(swarm: Swarm, issue: IssueId, written: readonly string[]): void {
  if (!effectiveLabels(written, swarm, issue).has('legion-paused')) return;
  const { cause } = explainWait(swarm, issue, { reason: 'paused', mode: 'implement', evidence: [] });
  throw new LegionError('issue.paused', `Nothing starts for ${issue}. ${cause}`, {
    next: `Run \`legion resume ${issue}\` first.`,
  });
}

/** Checks of an agent or a repository that usually end within seconds. */
const CHECKS: ReadonlySet<string> = new Set(['agent_asked', 'preflight_running']);

/** Waits for the gap between two starts and for checks that are running; everything else is refused. */
export async function refuseWithoutRoom(world: World, issue: IssueId, mode: Mode): Promise<void> {
  for (let staggers = 1, asked = 1; ; ) {
    const starts = new Starts(world.ledger.swarm, startContext(world));
    const refusal = starts.mayStart(issue, mode);
    if (refusal === undefined) break;
    if (refusal.reason === 'stagger' && staggers < STAGGER_TRIES && starts.wakeAt !== undefined) {
      staggers += 1;
      await world.clock.sleep(starts.wakeAt - world.clock.now());
    } else if (CHECKS.has(refusal.reason) && asked < ASKED_TRIES) {
      asked += 1;
      await world.clock.sleep(ASKED_PAUSE_MS);
    } else throw refused(world.ledger.swarm, issue, mode, refusal);
  }
  await refuseWithoutHostRoom(world);
}

/** What closes every start, in the decision's own words. */
const HOLD_REASONS = {
  deaths: 'breaker_open',
  pause: 'legion_paused',
  halt: 'halted',
} as const satisfies Record<GlobalHold['kind'], string>;

/** No free place and no higher limit helps against these. */
const HOLD_NEXT = {
  deaths: 'Run `legion resume`, or wait until the checks of the host pass.',
  pause: 'Run `legion resume`.',
  halt: 'Run `legion resume`.',
} as const satisfies Record<GlobalHold['kind'], string>;

function refused(swarm: Swarm, issue: IssueId, mode: Mode, { reason, fact }: Refusal): LegionError {
  const codes: Partial<Record<string, FaultCode>> = {
    crash_limit: 'worker.crash_limit',
    remains_alive: 'worker.exists',
    agent_not_ready: 'agent.not_ready',
    agent_not_chosen: 'agent.not_chosen',
    consent_required: 'consent.required',
    board_stale: 'tracker.unavailable',
    day_budget_spent: 'budget.day_spent',
    budget_zero: 'budget.zero',
  };
  const code = codes[reason] ?? 'worker.no_capacity';
  const hold = reason === 'breaker_open' ? swarm.breaker.open : undefined;
  const cause = hold === undefined ? reason : HOLD_REASONS[hold.kind];
  const message = `${workerId(issue, mode)}: ${reasonInWords(cause)} (${hold?.why ?? fact})`;
  return new LegionError(code, message, hold === undefined ? {} : { next: HOLD_NEXT[hold.kind] });
}

/** What cannot be read forbids nothing. */
async function refuseWithoutHostRoom({ host, settings }: World): Promise<void> {
  const room = await host.room();
  if (room === 'unavailable') return;
  const { diskBytes, memoryBytes } = settings().room;
  const short = [
    ...(room.freeDiskBytes < diskBytes ? [`${room.freeDiskBytes} of ${diskBytes} bytes of disk`] : []),
    ...(room.freeMemoryBytes < memoryBytes
      ? [`${room.freeMemoryBytes} of ${memoryBytes} bytes of memory`]
      : []),
  ];
  if (short.length > 0)
    throw new LegionError('worker.no_capacity', `${host.name} has only ${short.join(' and ')}`);
}
