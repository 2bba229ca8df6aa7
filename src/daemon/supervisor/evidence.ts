/** Collects the health evidence of a worker's current attempt. */

import { judgePresence } from '../../core/health/condition.ts';
import type { HealthEvidence, ProcessEvidence, Suspicion } from '../../core/health/evidence.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { type AttemptFacts, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { ObservedValue } from '../../ports/host.ts';
import { resolveIssuePhase } from '../context/board-view.ts';
import type { DaemonContext, PortContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { findProcessIdentity, toStopFacts } from './stop-process.ts';
import { type AgentTrace, EMPTY_TRACE, findRunningTool } from './trace.ts';

/**
 * Facts about an attempt that are kept between two passes, in memory only. A restarted daemon
 * therefore suspects no worker.
 */
export interface AttemptMemory {
  readonly suspicion: Suspicion;
  readonly questionsAsked: number;
  readonly personToldAt: number | 'never';
}

/**
 * The time since which this daemon has been watching without a gap, and the time at which the clock
 * was last set or the machine last resumed from sleep.
 */
export interface SupervisionWindow {
  readonly watchingSince: number;
  readonly clockSetAt: number;
}

export async function collectHealthEvidence(
  context: DaemonContext,
  worker: WorkerRecord,
  trace: AgentTrace = EMPTY_TRACE,
  memory: AttemptMemory,
  { watchingSince, clockSetAt }: SupervisionWindow,
): Promise<HealthEvidence> {
  const { facts, issue, mode, attempt, checkpoint } = worker;
  const workspace = await context.workspaces.find(issue).catch(() => 'unavailable' as const);
  const path = typeof workspace === 'object' ? workspace.path : '';
  const { agent } = context.agentOf(worker);
  const observation = await observeProcess(context, worker);
  const gate = findGateWait(context, worker, observation.process);
  return {
    worker: toWorkerId(issue, mode),
    attempt,
    phase: resolveIssuePhase(context, issue, mode),
    state: gate === undefined ? toLifecycleState(facts) : 'executing',
    // After the clock has been set, earlier times could seem long ago, so they are ignored.
    stateSince: Math.max(findStateStart(facts), clockSetAt),
    spawnedAt: facts.dispatchedAt,
    watchingSince,
    ...observation,
    agent: trace.agent,
    tool: gate ?? findRunningTool(trace),
    sessionFile: await agent.session(worker.session, worker.native, path),
    report: await findReportEvidence(context, worker),
    checkpoint: checkpoint === undefined ? 'none' : { at: checkpoint.at },
    rateLimit: facts.waiting?.for === 'quota' ? toRateLimit(facts.waiting) : trace.rateLimit,
    output: trace.output,
    workspace: workspace === 'unavailable' ? workspace : workspace === undefined ? 'no' : 'yes',
    ...memory,
  };
}

/**
 * Returns the time since which a live worker has been waiting for the quality gate. The wait is
 * treated as a running tool. If the worker's process has exited, only its report matters.
 */
function findGateWait(
  { gates }: PortContext,
  { issue, mode, facts }: WorkerRecord,
  process: ProcessEvidence,
): { readonly since: number } | undefined {
  const since = mode === 'implement' ? gates.runningSince(issue) : undefined;
  const waits =
    since !== undefined && toLifecycleState(facts) === 'reporting' && judgePresence(process) !== 'no';
  return waits ? { since } : undefined;
}

/** Ignores the done flag once a report of this attempt is in the journal. */
async function findReportEvidence(
  context: WorkerContext,
  worker: WorkerRecord,
): Promise<HealthEvidence['report']> {
  const { issue, mode, attempt, lastReport } = worker;
  const left = await context.findPendingReport(toWorkerId(issue, mode), attempt);
  if (typeof left !== 'object') return left;
  const { where, since } = left;
  return where === 'done_flag' && lastReport > 0 ? 'none' : { where, since };
}

async function observeProcess(
  context: StateContext & PortContext,
  worker: WorkerRecord,
): Promise<Pick<HealthEvidence, 'process' | 'cpu' | 'children'>> {
  const identity = findProcessIdentity(worker);
  if (worker.exit !== undefined) {
    const { at: since, ...exit } = worker.exit;
    const process: ProcessEvidence = { state: 'gone', since, exit };
    return { process, cpu: 'unavailable', children: 'unavailable' };
  }
  if (identity === undefined) {
    const process: ProcessEvidence = isBeingStarted(context.ledger.state, worker)
      ? 'unavailable'
      : { state: 'never_seen' };
    return { process, cpu: 'unavailable', children: 'unavailable' };
  }
  const observation = await context.host.observe(identity);
  const { process } = toStopFacts(observation, context.clock.now());
  const usedMs = toObservedValue(observation.groupCpuMs);
  return {
    process,
    cpu: usedMs === 'unavailable' ? usedMs : { usedMs },
    children: toObservedValue(observation.children),
  };
}

/**
 * Returns whether the start is still in progress. Until the start is settled, a process may exist
 * that the host does not know about yet.
 */
function isBeingStarted({ intents }: LegionState, { issue, mode, attempt }: WorkerRecord): boolean {
  return [...intents.values()].some(
    ({ command }) =>
      command.kind === 'spawn' &&
      command.issue === issue &&
      command.mode === mode &&
      command.attempt === attempt,
  );
}

function toObservedValue<T>(observed: ObservedValue<T>): T | 'unavailable' {
  return typeof observed === 'object' && observed !== null && 'unavailable' in observed
    ? 'unavailable'
    : observed;
}

/** Takes the end of the quota wait from the journal, so that the wake-up survives a restart. */
function toRateLimit({ since, until }: { since: number; until?: number }): HealthEvidence['rateLimit'] {
  return { seenAt: since, resetAt: until ?? 'unknown' };
}

function findStateStart(facts: AttemptFacts): number {
  return (
    facts.acceptedAt ??
    facts.stoppedAt ??
    facts.pausedAt ??
    facts.crashedAt ??
    facts.reportedAt ??
    facts.waiting?.since ??
    facts.firstEventAt ??
    facts.dispatchedAt
  );
}
