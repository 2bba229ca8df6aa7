/** How long the state keeps what it knows of a finished issue, and what it keeps for ever. */

import type { EventBody } from '../core/model/event.ts';
import { type IssueId, workerId } from '../core/model/ids.ts';
import { isFinished } from '../core/model/status.ts';
import type { LandedMerge } from '../core/state/fleet-state.ts';
import type { IssueRecord, Swarm, WorkerRecord } from '../core/state/state.ts';
import { MODES } from '../domain/mode.ts';

/** Two weeks after the issue was seen as over: a retrospective has taken place, and most rollbacks have. */
export const FINISHED_KEPT_MS = 14 * 24 * 60 * 60_000;

/** Issues that have been over for long enough and of which more than serials is kept, those over longest first. */
export function findPrunable(swarm: Swarm, now: number): IssueId[] {
  const due: { issue: IssueId; since: number }[] = [];
  for (const [issue, { status, since }] of swarm.board) {
    const isOver = isFinished(status);
    if (isOver && now - since > FINISHED_KEPT_MS && canPrune(swarm, issue)) due.push({ issue, since });
  }
  return due.sort((one, other) => one.since - other.since).map(({ issue }) => issue);
}

/** Nothing while something is under way for the issue, or where there is nothing to prune. */
export function pruneEvents(swarm: Swarm, issue: IssueId): EventBody[] {
  const serial = (swarm.issues.get(issue)?.lastPrune ?? 0) + 1;
  return canPrune(swarm, issue) ? [{ type: 'issue.pruned', issue, prune: serial }] : [];
}

function canPrune(swarm: Swarm, issue: IssueId): boolean {
  const record = swarm.issues.get(issue);
  if (record === undefined || record.openIntents > 0) return false;
  const ids = MODES.map((mode) => workerId(issue, mode));
  if (ids.some((id) => swarm.present.has(id))) return false;
  return holdsMore(record) || ids.some((id) => isWhole(swarm.workers.get(id)));
}

/** A decision alone is no reason: the next look at an issue that is over makes one again. */
function holdsMore({ evidence, owed, rounds, questions, handoffs, children }: IssueRecord): boolean {
  const kept = [evidence, owed, rounds, questions, handoffs, children];
  return kept.some((part) => Object.keys(part).length > 0);
}

/** A worker that was dispatched again after its issue was pruned is whole again. */
function isWhole(worker: WorkerRecord | undefined): boolean {
  return worker !== undefined && worker.pruned !== true;
}

/** Serials stay, so that nothing that comes late can pass for new; the merge stays, so that it can be rolled back. */
export function pruneRecord(record: IssueRecord, serial: number): IssueRecord {
  const { decision, decisionBeforeHold, cause, sentBack, merged, ...kept } = record;
  return {
    ...kept,
    ...(merged !== undefined && { merged: withoutGate(merged) }),
    evidence: {},
    owed: [],
    rounds: {},
    questions: {},
    handoffs: {},
    children: [],
    lastPrune: serial,
    // A new generation, because the counts of the old one are gone.
    generation: record.generation + 1,
  };
}

function withoutGate({ gate, ...merged }: LandedMerge): LandedMerge {
  return merged;
}

/** Attempt, process, session, serials and what it has cost stay; what it said and why it ended goes. */
export function pruneWorker(worker: WorkerRecord): WorkerRecord {
  const { checkpoint, crash, report, refusal, askedToStop, ...kept } = worker;
  return { ...kept, warnings: [], failedLives: [], pruned: true };
}
