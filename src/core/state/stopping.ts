/**
 * Lists workers that are being stopped and how long their stops may take, explains how that affects
 * their issues, and stops workers whose issue was closed or moved away.
 */

import { type HealthLimits, resolveHealthLimits } from '../health/limits.ts';
import { computeGraceEnd } from '../health/stop-ladder.ts';
import type { EndCondition } from '../model/action.ts';
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';
import type { IssueId } from '../model/ids.ts';
import { describePendingStop, hasEnded, type PendingStop, toLifecycleState } from '../model/lifecycle.ts';
import type { Mode } from '../model/mode.ts';
import type { ObservedIssue } from '../model/observed-issue.ts';
import type { ObservedStatus } from '../model/status.ts';
import { findStop, isRunning, isStopping } from './halt.ts';
import { createIssueRecord, type LegionState, type WorkerRecord } from './state.ts';
import { listIssueWorkers, listPresentWorkers } from './workers.ts';

type StopLimits = Partial<Pick<HealthLimits, 'stopGrace' | 'stopWorking'>>;

/** Returns undefined for a worker that was not stopped or whose process has exited. */
export function findPendingStop(
  state: LegionState,
  worker: WorkerRecord,
  limits: StopLimits,
): PendingStop | undefined {
  const { stoppedAt: since } = worker.facts;
  if (since === undefined || !isStopping(worker)) return undefined;
  const { stopExtensions = [] } = worker;
  const usual = computeGraceEnd(since, stopExtensions.length, resolveHealthLimits(limits));
  const { open } = state.breaker;
  // A halt ends every grace period.
  const graceEndsAt = open?.kind === 'halt' ? Math.min(usual, Math.max(since, open.since)) : usual;
  const why = findStop(state, worker)?.evidence[0];
  const working = stopExtensions.at(-1)?.why;
  return {
    since,
    graceEndsAt,
    ...(why === undefined ? {} : { why }),
    ...(working === undefined ? {} : { working }),
  };
}

interface StoppingWorker {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly stopping: PendingStop;
}

export function listStoppingWorkers(
  state: LegionState,
  limits: StopLimits,
  workers: readonly WorkerRecord[] = listPresentWorkers(state).map(([, worker]) => worker),
): readonly StoppingWorker[] {
  return workers.flatMap((worker): StoppingWorker[] => {
    const stopping = findPendingStop(state, worker, limits);
    return stopping === undefined ? [] : [{ issue: worker.issue, mode: worker.mode, stopping }];
  });
}

interface ExplainedState {
  readonly reason: string;
  readonly says: string;
  readonly until: EndCondition;
}

/** Nothing starts for an issue until its stopping processes have exited. */
export function explainWhileStopping(
  state: ExplainedState,
  workers: readonly StoppingWorker[],
  now: number,
): Pick<ExplainedState, 'says' | 'until'> {
  const { reason, says, until } = state;
  if (workers.length === 0) return { says, until };
  const plain = workers.map((worker) => describeStoppingWorker(worker, now)).join(' ');
  if (until.by === 'person' || reason === 'worker_live') return { says: `${says} ${plain}`, until };
  const reasoned = workers
    .map((worker) => describeStoppingWorker(worker, now, worker.stopping.why))
    .join(' ');
  const they = workers.length === 1 ? 'that worker has' : 'those workers have';
  if (until.by === 'nothing_more')
    return {
      says: `${says} ${reasoned}`,
      until: { by: 'nothing_more', what: `nothing more will happen once ${they} ended` },
    };
  return { says: reasoned, until: { by: 'event', what: `${they} ended` } };
}

function describeStoppingWorker({ mode, stopping }: StoppingWorker, now: number, why?: string): string {
  return `The ${mode} worker is ${describePendingStop(stopping, now, why)}.`;
}

export interface UnwantedStop {
  readonly issue: IssueId;
  /** To be appended before any command runs. */
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
}

/**
 * Statuses in which no worker runs. Legion itself never moves an issue into one of them while a
 * worker is live, so such a move was made by a person.
 */
export const STATUSES_WITHOUT_WORKERS: ReadonlySet<ObservedStatus> = new Set<ObservedStatus>([
  'terminal',
  'Done',
  'Icebox',
  'Backlog',
]);

/**
 * Stops workers whose issue was closed or moved out of progress while they worked on it. Pure.
 * Returns at most one entry per issue of the board.
 */
export function stopUnwantedWorkers(
  state: LegionState,
  board: readonly ObservedIssue[],
): readonly UnwantedStop[] {
  let { lastIntent } = state;
  return board.flatMap((observed): UnwantedStop[] => {
    const { id: issue } = observed.issue;
    const workers = findUnwantedWorkers(state, observed);
    if (workers.length === 0) return [];
    const why = describeMove(observed);
    const commands = workers.map(({ mode, attempt }) => {
      lastIntent += 1;
      const command: Command = { kind: 'stop', issue, mode, attempt, evidence: [why] };
      return { intent: lastIntent, command };
    });
    const revision = (state.issues.get(issue) ?? createIssueRecord(issue)).lastOwed + 1;
    const events: EventBody[] = [
      ...workers.map(
        ({ mode, attempt }): EventBody => ({ type: 'attempt.stopped', issue, mode, attempt, why }),
      ),
      // If the label stayed, it would signal a lost worker and another one would start.
      { type: 'labels.owed', issue, revision, add: [], remove: ['worker-active'] },
      ...commands.map((numbered): EventBody => ({ type: 'intent.opened', ...numbered })),
    ];
    return [{ issue, events, commands }];
  });
}

function findUnwantedWorkers(state: LegionState, { issue, status }: ObservedIssue): readonly WorkerRecord[] {
  const since = state.board.get(issue.id)?.since;
  if (since === undefined || !STATUSES_WITHOUT_WORKERS.has(status)) return [];
  const { merged, mergeBegun } = state.issues.get(issue.id) ?? {};
  // After a merge, forges and boards close or move the issue by themselves, so this is not a reason
  // to stop its workers.
  if (merged !== undefined && merged.undone === undefined) return [];
  return listIssueWorkers(state, issue.id).filter((worker) => {
    const { mode, facts } = worker;
    if (!isRunning(worker) || hasEnded(toLifecycleState(facts))) return false;
    // A worker that was started after the move is intentional, so it keeps running.
    const isWanted =
      facts.dispatchedAt >= since ||
      (mode === 'architect' && status === 'Backlog') ||
      (mode === 'merge' && mergeBegun !== undefined);
    return !isWanted;
  });
}

function describeMove({ issue: { id, column }, status }: ObservedIssue): string {
  return status === 'terminal' ? `${id} was closed` : `${id} was moved to ${column}`;
}
