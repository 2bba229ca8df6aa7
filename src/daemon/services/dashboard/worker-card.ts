/**
 * Describes a worker for a card: its state, the time of its last state change, and the last thing
 * it did.
 */

import type { HealthLimits } from '../../../core/health/limits.ts';
import { type IssueId, toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import { isLive, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { REASONS } from '../../../core/pipeline/reasons.ts';
import { explainWait } from '../../../core/state/explain-wait.ts';
import type { LegionState, MadeDecision, WorkerRecord, WorkerReport } from '../../../core/state/state.ts';
import { findPendingStop } from '../../../core/state/stopping.ts';
import { hasExited, listIssueWorkers } from '../../../core/state/workers.ts';
import type { DashboardCard } from '../../../protocol/dashboard.ts';
import { choosePresentWorker, findStateSince } from '../../present/issue-state.ts';
import { isForgotten } from '../../present/worker.ts';

type WorkerCard = NonNullable<DashboardCard['worker']>;
type CardActivity = NonNullable<WorkerCard['last']>;

type CardActivities = ReadonlyMap<WorkerId, CardActivity>;

export interface CardSources {
  /** Agent activity that is not in the journal. Absent for a past board. */
  readonly activities?: CardActivities | undefined;
  readonly limits: Partial<HealthLimits>;
}

/** Characters that fit on a card. The issue page shows the whole text. */
const MAX_CARD_TEXT_CHARS = 140;

function buildWorkerCard(
  legion: LegionState,
  worker: WorkerRecord,
  { activities: doings, limits }: CardSources,
): WorkerCard {
  const { issue, mode, attempt, agent, facts } = worker;
  const id = toWorkerId(issue, mode);
  const state = toLifecycleState(facts);
  return {
    id,
    mode,
    state,
    stopping: findPendingStop(legion, worker, limits),
    ...(hasExited(worker) ? { hasExited: true } : {}),
    attempt,
    ...(agent === undefined ? {} : { agent }),
    since: findStateSince(worker),
    last: findLastActivity(legion, worker, doings?.get(id)),
  };
}

function describeReport({ outcome, summary, sentBack }: WorkerReport): string {
  return sentBack === undefined ? `reported ${outcome}: ${summary}` : `sent the work back: ${sentBack}`;
}

/**
 * Returns the latest report or observed action of the worker. Omits actions by others, such as a
 * stop, because the worker's state shows them.
 */
function findLastActivity(
  state: LegionState,
  worker: WorkerRecord,
  doing: CardActivity | undefined,
): CardActivity | null {
  const { facts, checkpoint, report, lastCheckpoint } = worker;
  const did: CardActivity[] = [];
  if (facts.firstEventAt !== undefined) did.push({ what: 'started working', at: facts.firstEventAt });
  if (doing !== undefined) did.push(doing);
  const asked = findLastQuestion(state, worker);
  if (asked !== undefined) did.push(asked);
  // A checkpoint from a previous attempt is not an action of this one.
  if (checkpoint !== undefined && lastCheckpoint > 0)
    did.push({ what: checkpoint.lastAction, at: checkpoint.at });
  if (report !== undefined && facts.reportedAt !== undefined)
    did.push({ what: describeReport(report), at: facts.reportedAt });
  // If two entries have the same time, the later one in this list is more specific.
  const last = did.reduce<CardActivity | undefined>(
    (best, each) => (best === undefined || each.at >= best.at ? each : best),
    undefined,
  );
  return last === undefined ? null : { what: trimCardText(last.what), at: last.at };
}

function findLastQuestion(
  { issues }: LegionState,
  { issue, mode, attempt }: WorkerRecord,
): CardActivity | undefined {
  const record = issues.get(issue);
  const question = record?.questions[record.lastQuestion];
  if (question === undefined || question.mode !== mode || question.attempt !== attempt) return undefined;
  return { what: `asked: ${question.text}`, at: question.askedAt };
}

function trimCardText(text: string): string {
  const line = text
    .slice(0, 4 * MAX_CARD_TEXT_CHARS)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_CARD_TEXT_CHARS ? `${line.slice(0, MAX_CARD_TEXT_CHARS)}…` : line;
}

type ExplainedDecision = Pick<MadeDecision, 'reason' | 'mode' | 'evidence'>;
type CardFacts = Pick<DashboardCard, 'worker' | 'waits' | 'spentUsd'>;

/**
 * Creates a reader for the facts on a card that come from the journal: worker, wait and cost. One
 * reader serves all issues of one board.
 */
export function createCardFactsReader(
  state: LegionState,
  sources: CardSources,
): (issue: IssueId) => CardFacts {
  return (issue) => collectCardFacts(state, issue, listIssueWorkers(state, issue), sources);
}

function collectCardFacts(
  state: LegionState,
  issue: IssueId,
  workers: readonly WorkerRecord[],
  sources: CardSources,
): CardFacts {
  const present = workers.length === 0 ? undefined : choosePresentWorker(workers);
  const worker = present !== undefined && !isForgotten(state, present) ? present : undefined;
  const decision = state.issues.get(issue)?.decision;
  const isDecided = decision !== undefined && decision.reason !== 'worker_live';
  return {
    worker: worker === undefined ? null : buildWorkerCard(state, worker, sources),
    // Null if a worker was running when the last decision was made and has ended since, because the
    // next step is not decided yet.
    waits: isDecided && !isAtWork(worker) ? explainCardWait(state, issue, decision) : null,
    spentUsd: workers.reduce((sum, { spent }) => sum + spent.earlier.usd + spent.now.usd, 0),
  };
}

/**
 * Explains what the card is waiting for, with the same text as `explain`. Null if nothing more will
 * happen.
 */
export function explainCardWait(
  state: LegionState,
  issue: IssueId,
  decision: ExplainedDecision,
): DashboardCard['waits'] {
  const { reason } = decision;
  const { cause: says } = explainWait(state, issue, decision);
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : undefined;
  // If this version does not know the reason, only its name can be shown.
  if (known === undefined) return { says, by: 'event', what: reason };
  const { by, what } = known.until;
  return by === 'nothing_more' ? null : { says, by, what: what.replaceAll('ISSUE', issue) };
}

function isAtWork(worker: WorkerRecord | undefined): boolean {
  return worker !== undefined && isLive(toLifecycleState(worker.facts));
}
