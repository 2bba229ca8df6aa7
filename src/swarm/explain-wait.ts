/** Says in one sentence why an issue waits, what ends the wait, and whose last output shows more. */

import type { IssueId } from '../core/model/ids.ts';
import { REASONS, type ReasonCode } from '../core/pipeline/reasons.ts';
import type { IssueRecord, Swarm, WaitCause, WorkerRecord } from '../core/state/state.ts';
import { isStopReason, STOP_CAUSES } from '../core/state/stop-causes.ts';
import type { Decision } from '../domain/decision.ts';
import type { Mode } from '../domain/mode.ts';
import { exitInWords } from '../health/words.ts';
import { explainApproval } from './explain-approval.ts';
import { hasExited, workersOf } from './workers.ts';

export interface WaitExplanation {
  /** One sentence. */
  readonly cause: string;
  /** What a person types to end it; absent where nobody has to. */
  readonly next?: string | undefined;
  /** What a person types to read what waits for approval. */
  readonly read?: string | undefined;
  /** Whose last output shows why. */
  readonly worker?: { readonly mode: Mode; readonly attempt: number } | undefined;
}

type Decided = Pick<Decision, 'reason' | 'mode' | 'evidence'> & Partial<Pick<Decision, 'until'>>;

/** A decision that only waits is explained by what led to the wait. */
export function explainWait(swarm: Swarm, issue: IssueId, decision: Decided): WaitExplanation {
  const { reason, until } = decision;
  const next = (until ?? untilOf(reason))?.next?.replaceAll('ISSUE', issue);
  const record = swarm.issues.get(issue);
  if (reason === 'halted' || reason === 'legion_paused')
    return { cause: describeHold(swarm, decision), next };
  if (reason === 'worker_live') return { cause: describeLiveWorker(swarm, issue), next };
  if (reason === 'waits_for_approval' || reason === 'approval_due')
    return { ...explainApproval(swarm, issue, decision.evidence), next };
  if (reason === 'paused') return { ...explainPause(swarm, issue, record?.cause), next };
  if (reason === 'waits_for_answer' && isStopCause(record?.cause) && !hasOpenQuestion(record))
    return { ...explainCause(swarm, issue, record.cause), next };
  return { ...explainCause(swarm, issue, decision), next };
}

/** Without a decision that stopped it, somebody set the label on the board. */
function explainPause(swarm: Swarm, issue: IssueId, cause: WaitCause | undefined): WaitExplanation {
  if (cause !== undefined && 'by' in cause) return { cause: `Paused by ${cause.by}: ${ended(cause.why)}` };
  if (!isStopCause(cause)) return { cause: 'Paused: somebody added the label legion-paused on the board.' };
  return explainCause(swarm, issue, cause);
}

function explainCause(swarm: Swarm, issue: IssueId, { reason, mode, evidence }: Decided): WaitExplanation {
  const facts = evidence.filter((fact) => !/^(?:status|would|label)=/.test(fact));
  if (!isStopReason(reason)) return { cause: describeReason(reason, facts) };
  const worker = lastWorker(swarm, issue, reason === 'crash_limit');
  const about = { mode: worker?.mode ?? mode, facts, worker, record: swarm.issues.get(issue) };
  const cause = ended(STOP_CAUSES[reason].describe(about));
  if (worker === undefined || !STOP_CAUSES[reason].isAboutWorker) return { cause };
  return { cause, worker: { mode: worker.mode, attempt: worker.attempt } };
}

/** Facts in words belong to the sentence; those as `name=value` are for machines, unless it says too little without. */
function describeReason(reason: string, facts: readonly string[]): string {
  const details = facts.flatMap((fact) => describeFact(reason, fact) ?? []);
  const says = wordsFor(reason);
  return details.length === 0 ? says : ended(`${says.replace(/\.$/, '')}: ${details.join('; ')}`);
}

function describeFact(reason: string, fact: string): string | undefined {
  const [, name, value = ''] = /^([\w.]+)=(.*)$/s.exec(fact) ?? [];
  if (name === undefined) return /\s/.test(fact) ? fact.replace(/\.$/, '') : undefined;
  if (name === 'waits_for') return wordsFor(value).replace(/\.$/, '');
  if (name === 'blockers') return value.replaceAll(',', ', ');
  return reason === 'budget_zero' ? fact : undefined;
}

function wordsFor(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as ReasonCode].says : reason;
}

/** A worker whose process has ended does nothing any more, although its attempt is not over. */
function describeLiveWorker(swarm: Swarm, issue: IssueId): string {
  const exited = workersOf(swarm, issue).find(hasExited);
  if (exited?.exit === undefined) return REASONS.worker_live.says;
  const process = `The process of the ${exited.mode} worker ${exitInWords(exited.exit)}`;
  return `${process} without an accepted report. Legion decides next what that means; after its own start it waits for health.grace first.`;
}

function describeHold({ breaker }: Swarm, { reason, evidence }: Decided): string {
  const { why = readFact(evidence, 'why') } = breaker.open ?? {};
  const what =
    reason === 'halted'
      ? 'The legion is halted: every worker was stopped and none starts'
      : 'The legion is paused: no worker starts';
  return ended(why === undefined ? what : `${what} (${why})`);
}

function readFact(evidence: readonly string[], name: string): string | undefined {
  return evidence.find((fact) => fact.startsWith(`${name}=`))?.slice(name.length + 1);
}

export function isStopCause(cause: WaitCause | undefined): cause is Exclude<WaitCause, { by: string }> {
  return cause !== undefined && 'reason' in cause && isStopReason(cause.reason);
}

function hasOpenQuestion(record: IssueRecord | undefined): boolean {
  return Object.values(record?.questions ?? {}).some(({ answer }) => answer === undefined);
}

/** The one that failed last, or else the one that started last. */
function lastWorker(swarm: Swarm, issue: IssueId, failed: boolean): WorkerRecord | undefined {
  const at = ({ failedLives, facts }: WorkerRecord) =>
    failed ? (failedLives.at(-1)?.crashedAt ?? 0) : facts.dispatchedAt;
  return workersOf(swarm, issue).toSorted((a, b) => at(b) - at(a))[0];
}

function untilOf(reason: string): Decision['until'] | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as ReasonCode].until : undefined;
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
