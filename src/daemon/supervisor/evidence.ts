/** Gathers everything that bears on the health of one worker's present attempt. */
import { workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { type AttemptFacts, lifecycleOf } from '../../domain/lifecycle.ts';
import { presenceOf } from '../../health/condition.ts';
import type { HealthEvidence, ProcessEvidence, Suspicion } from '../../health/evidence.ts';
import type { Observed } from '../../hosts/host.ts';
import { phaseOfIssue } from '../reports/phase-of.ts';
import { factsOf } from '../supervise/end-process.ts';
import { identityOf } from '../supervise/identity.ts';
import type { World } from '../world.ts';
import { NOTHING_YET, type Trace, toolOf } from './trace.ts';

/** What is remembered between two looks, in memory only: a restarted daemon suspects nobody. */
export interface Memory {
  readonly suspicion: Suspicion;
  readonly questionsAsked: number;
  readonly personToldAt: number | 'never';
}

/** Of the daemon's own watch: since when it has no gap, and when the machine's clock was last set, or slept through. */
export interface Watching {
  readonly watchingSince: number;
  readonly clockSetAt: number;
}

export async function evidenceOf(
  world: World,
  worker: WorkerRecord,
  trace: Trace = NOTHING_YET,
  memory: Memory,
  { watchingSince, clockSetAt }: Watching,
): Promise<HealthEvidence> {
  const { facts, issue, mode, attempt, checkpoint } = worker;
  const workspace = await world.workspaces.find(issue).catch(() => 'unavailable' as const);
  const path = typeof workspace === 'object' ? workspace.path : '';
  const { agent } = world.agentOf(worker);
  const seen = await processEvidence(world, worker);
  const gate = gateOf(world, worker, seen.process);
  return {
    worker: workerId(issue, mode),
    attempt,
    phase: phaseOfIssue(world, issue, mode),
    state: gate === undefined ? lifecycleOf(facts) : 'executing',
    // By a clock that was set meanwhile, whatever came before would seem to be long ago.
    stateSince: Math.max(stateSince(facts), clockSetAt),
    spawnedAt: facts.dispatchedAt,
    watchingSince,
    ...seen,
    agent: trace.agent,
    tool: gate ?? toolOf(trace),
    sessionFile: await agent.session(worker.session, worker.native, path),
    report: await reportOf(world, worker),
    checkpoint: checkpoint === undefined ? 'none' : { at: checkpoint.at },
    rateLimit: facts.waiting?.for === 'quota' ? quotaOf(facts.waiting) : trace.rateLimit,
    output: trace.output,
    workspace: workspace === 'unavailable' ? workspace : workspace === undefined ? 'no' : 'yes',
    ...memory,
  };
}

/** A worker that is alive and waits for the quality gate is in a tool; without its process, its report is all there is. */
function gateOf(
  { gates }: World,
  { issue, mode, facts }: WorkerRecord,
  process: ProcessEvidence,
): { readonly since: number } | undefined {
  const since = mode === 'implement' ? gates.runningSince(issue) : undefined;
  const waits = since !== undefined && lifecycleOf(facts) === 'reporting' && presenceOf(process) !== 'no';
  return waits ? { since } : undefined;
}

/** With a report of this attempt in the journal, its done flag has nothing more to say. */
async function reportOf(world: World, worker: WorkerRecord): Promise<HealthEvidence['report']> {
  const { issue, mode, attempt, lastReport } = worker;
  const left = await world.reportLeft(workerId(issue, mode), attempt);
  if (typeof left !== 'object') return left;
  const { where, since } = left;
  return where === 'done_flag' && lastReport > 0 ? 'none' : { where, since };
}

async function processEvidence(
  world: World,
  worker: WorkerRecord,
): Promise<Pick<HealthEvidence, 'process' | 'cpu' | 'children'>> {
  const identity = identityOf(worker);
  if (worker.exit !== undefined) {
    const { at: since, ...exit } = worker.exit;
    const process: ProcessEvidence = { state: 'gone', since, exit };
    return { process, cpu: 'unavailable', children: 'unavailable' };
  }
  if (identity === undefined) {
    const process: ProcessEvidence = isBeingStarted(world.ledger.swarm, worker)
      ? 'unavailable'
      : { state: 'never_seen' };
    return { process, cpu: 'unavailable', children: 'unavailable' };
  }
  const seen = await world.host.observe(identity);
  const { process } = factsOf(seen, world.clock.now());
  const usedMs = known(seen.groupCpuMs);
  return {
    process,
    cpu: usedMs === 'unavailable' ? usedMs : { usedMs },
    children: known(seen.children),
  };
}

/** Until the start is settled its process may be there, and nobody has been able to ask the host. */
function isBeingStarted({ intents }: Swarm, { issue, mode, attempt }: WorkerRecord): boolean {
  return [...intents.values()].some(
    ({ command }) =>
      command.kind === 'spawn' &&
      command.issue === issue &&
      command.mode === mode &&
      command.attempt === attempt,
  );
}

function known<T>(observed: Observed<T>): T | 'unavailable' {
  return typeof observed === 'object' && observed !== null && 'unavailable' in observed
    ? 'unavailable'
    : observed;
}

/** What was agreed with the provider is in the journal, so that the wake-up survives a restart. */
function quotaOf({ since, until }: { since: number; until?: number }): HealthEvidence['rateLimit'] {
  return { seenAt: since, resetAt: until ?? 'unknown' };
}

function stateSince(facts: AttemptFacts): number {
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
