/** Decides how long the state of a finished issue is kept, and which part is kept permanently. */

import type { EventBody } from '../model/event.ts';
import { type IssueId, toWorkerId } from '../model/ids.ts';
import { MODES } from '../model/mode.ts';
import { isFinished } from '../model/status.ts';
import type { LandedMerge } from './fleet-state.ts';
import type { IssueRecord, LegionState, WorkerRecord } from './state.ts';

/**
 * Two weeks after the issue was seen as finished. By then its retro and most rollbacks have
 * happened.
 */
export const FINISHED_RETENTION_MS = 14 * 24 * 60 * 60_000;

/**
 * Returns issues that have been finished long enough and whose records contain more than serial
 * numbers, oldest first.
 */
export function findPrunable(state: LegionState, now: number): IssueId[] {
  const due: { issue: IssueId; since: number }[] = [];
  for (const [issue, { status, since }] of state.board) {
    const isOver = isFinished(status);
    if (isOver && now - since > FINISHED_RETENTION_MS && canPrune(state, issue)) due.push({ issue, since });
  }
  return due.sort((one, other) => one.since - other.since).map(({ issue }) => issue);
}

/** Returns no event while the issue has work in progress or nothing to prune. */
export function buildPruneEvents(state: LegionState, issue: IssueId): EventBody[] {
  const serial = (state.issues.get(issue)?.lastPrune ?? 0) + 1;
  return canPrune(state, issue) ? [{ type: 'issue.pruned', issue, prune: serial }] : [];
}

function canPrune(state: LegionState, issue: IssueId): boolean {
  const record = state.issues.get(issue);
  if (record === undefined || record.openIntents > 0) return false;
  const ids = MODES.map((mode) => toWorkerId(issue, mode));
  if (ids.some((id) => state.present.has(id))) return false;
  return hasPrunableData(record) || ids.some((id) => isUnpruned(state.workers.get(id)));
}

/**
 * Ignores the stored decision, because the next pass over a finished issue makes the same decision
 * again.
 */
function hasPrunableData({ evidence, owed, rounds, questions, handoffs, children }: IssueRecord): boolean {
  const kept = [evidence, owed, rounds, questions, handoffs, children];
  return kept.some((part) => Object.keys(part).length > 0);
}

/** Returns whether the worker has a full record. A dispatch after pruning creates one again. */
function isUnpruned(worker: WorkerRecord | undefined): boolean {
  return worker !== undefined && worker.pruned !== true;
}

/**
 * Keeps serial numbers, so that late events are not mistaken for new ones, and the merge, so that
 * it can be rolled back.
 */
export function pruneIssueRecord(record: IssueRecord, serial: number): IssueRecord {
  const { decision, decisionBeforeHold, cause, sentBack, approval, rejection, merged, ...kept } = record;
  return {
    ...kept,
    ...(merged !== undefined && { merged: omitGate(merged) }),
    evidence: {},
    owed: [],
    rounds: {},
    questions: {},
    comments: {},
    handoffs: {},
    handoffRevisions: {},
    children: [],
    lastPrune: serial,
    // Starts a new generation, because the counts of the old one are gone.
    generation: record.generation + 1,
  };
}

function omitGate({ gate, ...merged }: LandedMerge): LandedMerge {
  return merged;
}

/**
 * Keeps attempt, process, session, serial numbers and cost. Drops the worker's messages and the
 * reason why it ended.
 */
export function pruneWorkerRecord(worker: WorkerRecord): WorkerRecord {
  const { checkpoint, crash, report, refusal, askedToStop, stopExtensions, ...kept } = worker;
  return { ...kept, warnings: [], failedLives: [], pruned: true };
}
