/**
 * Checks whether a worker may start on an operator's request: no other worker is active on the
 * issue, and there is enough capacity.
 */

import type { EventBody } from '../../../core/model/event.ts';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../../core/model/ids.ts';
import type { LabelChange } from '../../../core/model/label.ts';
import { isLive, isWaiting, toLifecycleState } from '../../../core/model/lifecycle.ts';
import type { Mode } from '../../../core/model/mode.ts';
import type { StartRefusal } from '../../../core/pipeline/reasons.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import { explainWait } from '../../../core/state/explain-wait.ts';
import type { GlobalHold } from '../../../core/state/fleet-state.ts';
import { StartAdmission } from '../../../core/state/starts.ts';
import { createIssueRecord, type LegionState, type WorkerRecord } from '../../../core/state/state.ts';
import { listIssueWorkers } from '../../../core/state/workers.ts';
import type { DaemonContext, PortContext, StateContext } from '../../context/daemon-context.ts';
import { buildStartContext } from '../../context/evaluator.ts';
import type { LoopControl, StartOrder } from '../../loop/control.ts';
import { describeReason } from '../../present/reason.ts';
import { readIssue } from '../read-outside.ts';

/**
 * Maximum number of tries while other workers start first, which takes about ten seconds. After
 * that, the person gets an error.
 */
const MAX_STAGGER_TRIES = 5;

/**
 * Poll interval for a running check. An agent's program answers within a second or two. After 20 s,
 * the person gets an error.
 */
const CHECK_POLL_MS = 100;
const MAX_CHECK_POLLS = 200;

/**
 * Returns the worker that occupies the issue: one that is live, or one that is waiting and keeps
 * its slot. While it exists, no other worker of the issue may start.
 */
export function findActiveWorker(legion: LegionState, issue: IssueId): WorkerRecord | undefined {
  return listIssueWorkers(legion, issue).find(({ facts }) => {
    const state = toLifecycleState(facts);
    return isLive(state) || isWaiting(state);
  });
}

export function refuseWhileTaken(state: LegionState, issue: IssueId, mode: Mode): void {
  const at = findActiveWorker(state, issue);
  if (at === undefined) return;
  const other = at.mode === mode ? '' : `, so ${mode} cannot start`;
  throw new LegionError(
    'worker.exists',
    `${toWorkerId(issue, at.mode)} is already ${toLifecycleState(at.facts)} in attempt ${at.attempt}${other}.`,
  );
}

/** Refuses a request that expects the issue in another repository. */
export function refuseOtherRepository(
  { repositories }: PortContext,
  issue: IssueId,
  wanted: string | undefined,
): void {
  const { name, path } = repositories.require(issue);
  if (wanted === undefined || wanted === name || wanted === path) return;
  throw new LegionError('input.invalid', `repo: ${issue} belongs to ${name}`);
}

/**
 * Refuses a start on a paused issue. `written` contains the labels on the board. A hold applies as
 * soon as it is in the journal, even if its label is not on the board yet.
 */
export function refusePausedIssue(state: LegionState, issue: IssueId, written: readonly string[]): void {
  if (!computeEffectiveLabels(written, state, issue).has('legion-paused')) return;
  const { cause } = explainWait(state, issue, { reason: 'paused', mode: 'implement', evidence: [] });
  throw new LegionError('issue.paused', `No worker starts for ${issue}. ${cause}`, {
    next: `Run \`legion resume ${issue}\` first.`,
  });
}

/**
 * Reasons for waiting for a check of an agent or a repository. Such a check usually ends within
 * seconds.
 */
const CHECKS: ReadonlySet<string> = new Set(['agent_asked', 'preflight_running']);

/**
 * Waits for the gap between two starts and for checks that are running. Refuses everything else.
 */
export async function refuseWithoutRoom(context: DaemonContext, issue: IssueId, mode: Mode): Promise<void> {
  for (let staggers = 1, asked = 1; ; ) {
    const starts = new StartAdmission(context.ledger.state, buildStartContext(context));
    const refusal = starts.mayStart(issue, mode);
    if (refusal === undefined) break;
    if (refusal.reason === 'stagger' && staggers < MAX_STAGGER_TRIES && starts.wakeAt !== undefined) {
      staggers += 1;
      await context.clock.sleep(starts.wakeAt - context.clock.now());
    } else if (CHECKS.has(refusal.reason) && asked < MAX_CHECK_POLLS) {
      asked += 1;
      await context.clock.sleep(CHECK_POLL_MS);
    } else throw createStartRefusedError(context.ledger.state, issue, mode, refusal, starts.wakeAt);
  }
  await refuseWithoutHostRoom(context);
}

/** Decision reasons for the kinds of hold that block all starts. */
const HOLD_REASONS = {
  deaths: 'breaker_open',
  pause: 'legion_paused',
  halt: 'halted',
} as const satisfies Record<GlobalHold['kind'], string>;

/**
 * Next steps for a person while all starts are blocked. Neither a free slot nor a higher limit ends
 * such a hold.
 */
const HOLD_NEXT = {
  deaths: 'Run `legion resume`, or wait until the host checks pass.',
  pause: 'Run `legion resume`.',
  halt: 'Run `legion resume`.',
} as const satisfies Record<GlobalHold['kind'], string>;

function createStartRefusedError(
  state: LegionState,
  issue: IssueId,
  mode: Mode,
  { reason, fact }: StartRefusal,
  retryAt: number | undefined,
): LegionError {
  const codes: Partial<Record<string, FaultCode>> = {
    crash_limit: 'worker.crash_limit',
    remains_alive: 'worker.exists',
    respawn_wait: 'worker.backing_off',
    agent_not_ready: 'agent.not_ready',
    agent_not_chosen: 'agent.not_chosen',
    consent_required: 'consent.required',
    board_stale: 'tracker.unavailable',
    day_budget_spent: 'budget.day_spent',
    budget_zero: 'budget.zero',
  };
  const code = codes[reason] ?? 'worker.no_capacity';
  const hold = reason === 'breaker_open' ? state.breaker.open : undefined;
  const cause = hold === undefined ? reason : HOLD_REASONS[hold.kind];
  const message = `${toWorkerId(issue, mode)}: ${describeReason(cause)} (${hold?.why ?? fact})`;
  return new LegionError(code, message, { retryAt, ...(hold && { next: HOLD_NEXT[hold.kind] }) });
}

/** Refuses if the host has too little disk or memory. Unreadable values do not block the start. */
async function refuseWithoutHostRoom({ host, settings }: StateContext & PortContext): Promise<void> {
  const capacity = await host.readCapacity();
  if (capacity === 'unavailable') return;
  const { diskBytes, memoryBytes } = settings().requiredResources;
  const short = [
    ...(capacity.freeDiskBytes < diskBytes
      ? [`${capacity.freeDiskBytes} of ${diskBytes} required bytes of disk space`]
      : []),
    ...(capacity.freeMemoryBytes < memoryBytes
      ? [`${capacity.freeMemoryBytes} of ${memoryBytes} required bytes of memory`]
      : []),
  ];
  if (short.length > 0)
    throw new LegionError('worker.no_capacity', `${host.name} has only ${short.join(' and ')}.`);
}

/**
 * Starts a worker that a person requested although it is not due. First records the events in
 * `also`. If the worker does not start, restores the labels of the phase.
 */
export async function startOutOfTurn(
  context: StateContext & PortContext,
  control: LoopControl,
  order: StartOrder,
  also: (state: LegionState) => readonly EventBody[],
): Promise<void> {
  const { issue, mode } = order;
  const { labels } = await readIssue(context, issue);
  await context.ledger.append((state) => {
    refuseWhileTaken(state, issue, mode);
    // The pause is checked again under the ledger's lock, because the issue may have been paused
    // since the first check.
    refusePausedIssue(state, issue, labels);
    return also(state);
  });
  const before = computeEffectiveLabels(labels, context.ledger.state, issue);
  try {
    await control.start(order);
  } catch (error) {
    await context.ledger.append((state) => restorePhaseLabels(state, issue, before));
    throw error;
  }
}

/**
 * Restores the `worker-done` label, which a start removes. Without the label, a finished phase
 * would run again after the failed start.
 */
function restorePhaseLabels(state: LegionState, issue: IssueId, before: ReadonlySet<string>): EventBody[] {
  // If another worker has started in the meantime, the labels belong to that worker.
  if (findActiveWorker(state, issue) !== undefined) return [];
  const { lastOwed } = state.issues.get(issue) ?? createIssueRecord(issue);
  const add: LabelChange['add'] = before.has('worker-done') ? ['worker-done'] : [];
  const remove: LabelChange['remove'] = before.has('worker-active') ? [] : ['worker-active'];
  return [{ type: 'labels.owed', issue, revision: lastOwed + 1, add: [...add], remove: [...remove] }];
}
