/**
 * All evidence on the health of one attempt, and its description for people. Any source may be
 * unavailable, which never means that the attempt is dead.
 */

import { describeDuration } from '../model/format.ts';
import type { WorkerId } from '../model/ids.ts';
import type { LifecycleState } from '../model/lifecycle.ts';
import type { Phase } from '../model/mode.ts';

/** The source could not be read. That says nothing about the worker. */
type Unavailable = 'unavailable';

/**
 * All times are ms since 1970, from the same clock as `now`. `now` is read after all evidence is
 * collected.
 */
export interface HealthEvidence {
  readonly worker: WorkerId;
  readonly attempt: number;
  readonly phase: Phase;
  readonly state: LifecycleState;
  readonly stateSince: number;
  /** Time of the dispatch. The process may start a little later. */
  readonly spawnedAt: number;
  /**
   * Time at which the daemon started, or resumed after a gap in its own monitoring. See
   * `computeWatchingSince`.
   */
  readonly watchingSince: number;

  readonly process: ProcessEvidence;
  readonly agent: AgentEvidence;
  readonly tool: 'none' | { readonly since: number } | Unavailable;
  /** CPU time used by the whole process group so far. */
  readonly cpu: { readonly usedMs: number } | Unavailable;
  readonly children: { readonly count: number; readonly newestAt: number | 'none' } | Unavailable;
  readonly sessionFile: 'missing' | { readonly at: number } | Unavailable;
  readonly report: ReportEvidence;
  readonly checkpoint: 'none' | { readonly at: number } | Unavailable;
  readonly rateLimit: 'none' | RateLimit | Unavailable;
  /** The agent's last output. `empty` means a dead session, `none` a session that never started. */
  readonly output: 'text' | 'tool' | 'empty' | 'none' | Unavailable;
  readonly workspace: 'yes' | 'no' | Unavailable;

  readonly suspicion: Suspicion;
  /** Number of status questions sent to this attempt since it last made progress. */
  readonly questionsAsked: number;
  /** When a person was last notified about this attempt. */
  readonly personToldAt: number | 'never';
}

/**
 * - `alive`: a process has our pid. It is our process only if its start time matches, because pids
 *   are reused.
 * - `gone`: our process existed and no longer does; `since` is when that was first seen.
 * - `never_seen`: no pid was recorded and the host finds no process. The spawn is in progress or
 *   was interrupted.
 */
export type ProcessEvidence =
  | { readonly state: 'alive'; readonly identity: IdentityCheck }
  | { readonly state: 'gone'; readonly since: number; readonly exit: ExitStatus | 'unknown' }
  | { readonly state: 'never_seen' }
  | Unavailable;

/**
 * Whether pid and start time match the recorded ones. `unchecked` if the start time could not be
 * read.
 */
type IdentityCheck = 'matches' | 'differs' | 'unchecked';

interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Newest event of the agent's stream. `none` means the stream was read and is still empty. */
type AgentEvidence =
  | {
      readonly kind: 'text' | 'tool_started' | 'tool_ended' | 'turn_ended' | 'usage' | 'error';
      readonly at: number;
    }
  | { readonly kind: 'none' }
  | Unavailable;

/**
 * A report that is neither accepted nor refused yet: it was received, announced by a done flag, or
 * is still in the outbox. `since` is when it was written.
 */
type ReportEvidence =
  | 'none'
  | { readonly where: 'received' | 'done_flag' | 'outbox'; readonly since: number }
  | Unavailable;

export interface RateLimit {
  readonly seenAt: number;
  readonly resetAt: number | 'unknown';
}

/** Kept in memory only: a restarted daemon has no suspicions. */
export type Suspicion =
  | { readonly flagged: false; readonly clearedAt?: number }
  | {
      readonly flagged: true;
      readonly since: number;
      readonly phase: Phase;
      /** Value of `cpu` when the flag was raised. */
      readonly cpuMs: number | Unavailable;
      readonly probe: ProbeState;
    };

/**
 * A probe: a question to an idle session (`ask`) or an inspection of a busy one (`examine`).
 * `failed` means that the probe itself could not run, which proves nothing about the worker.
 */
export type ProbeState =
  | { readonly state: 'not_sent' }
  | { readonly state: 'sent'; readonly at: number; readonly how: 'ask' | 'examine' }
  | { readonly state: 'answered'; readonly at: number }
  | { readonly state: 'failed'; readonly at: number; readonly how: 'ask' | 'examine' };

/**
 * Formats the evidence as `name=value`, with ages instead of times so that readers need not
 * subtract.
 */
export function describeHealthEvidence(evidence: HealthEvidence, now: number): string[] {
  const formatAge = (at: number) => `${describeDuration(now - at)} ago`;
  const { process, agent, tool, cpu, children, sessionFile, report, checkpoint, rateLimit } = evidence;
  return [
    `state=${evidence.state} since ${formatAge(evidence.stateSince)}`,
    `dispatched=${formatAge(evidence.spawnedAt)}`,
    `process=${describeProcessEvidence(process, formatAge)}`,
    `agent=${agent === 'unavailable' || agent.kind === 'none' ? describeAgentKind(agent) : `${agent.kind} ${formatAge(agent.at)}`}`,
    `tool=${typeof tool === 'object' ? `in flight, started ${formatAge(tool.since)}` : tool}`,
    `cpu=${cpu === 'unavailable' ? cpu : describeCpuTime(cpu.usedMs, evidence)}`,
    `children=${children === 'unavailable' ? children : children.count}`,
    `session_file=${typeof sessionFile === 'object' ? formatAge(sessionFile.at) : sessionFile}`,
    `report=${typeof report === 'object' ? `${report.where} ${formatAge(report.since)}` : report}`,
    `checkpoint=${typeof checkpoint === 'object' ? formatAge(checkpoint.at) : checkpoint}`,
    `rate_limit=${typeof rateLimit === 'object' ? `seen ${formatAge(rateLimit.seenAt)}` : rateLimit}`,
    `output=${evidence.output}`,
    `workspace=${evidence.workspace}`,
    `flag=${describeFlag(evidence, formatAge)}`,
  ];
}

/**
 * Returns the words that complete a sentence beginning with "its process". Includes the signal's
 * name only if the name is plausible.
 */
export function describeExitStatus(exit: ExitStatus | 'unknown'): string {
  if (exit === 'unknown') return 'exited';
  if (exit.signal !== null)
    return `was killed by ${/^SIG[A-Z0-9]+$/.test(exit.signal) ? exit.signal : 'a signal'}`;
  return exit.code === null ? 'exited' : `exited with code ${exit.code}`;
}

type DescribeAge = (at: number) => string;

function describeAgentKind(agent: 'unavailable' | { readonly kind: string }): string {
  return agent === 'unavailable' ? agent : agent.kind;
}

function describeProcessEvidence(process: HealthEvidence['process'], formatAge: DescribeAge): string {
  if (process === 'unavailable') return process;
  if (process.state === 'never_seen') return 'never seen';
  if (process.state === 'alive') return `alive, identity ${process.identity}`;
  return `gone ${formatAge(process.since)}, ${describeExitStatus(process.exit)}`;
}

function describeCpuTime(usedMs: number, { suspicion }: HealthEvidence): string {
  if (!suspicion.flagged || suspicion.cpuMs === 'unavailable') return describeDuration(usedMs);
  return `${describeDuration(usedMs)}, ${describeDuration(usedMs - suspicion.cpuMs)} since the flag`;
}

function describeFlag({ suspicion }: HealthEvidence, formatAge: DescribeAge): string {
  if (!suspicion.flagged)
    return suspicion.clearedAt === undefined ? 'none' : `cleared ${formatAge(suspicion.clearedAt)}`;
  const { probe } = suspicion;
  if (probe.state === 'not_sent') return `raised ${formatAge(suspicion.since)}, not probed`;
  return `raised ${formatAge(suspicion.since)}, probe ${probe.state} ${formatAge(probe.at)}`;
}
