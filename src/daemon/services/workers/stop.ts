/**
 * Stops a worker on an operator's request. Also holds its issue, unless the daemon should start the
 * worker again.
 */

import { type IssueId, toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import {
  describePendingStop,
  hasEnded,
  isLive,
  isWaiting,
  toLifecycleState,
} from '../../../core/model/lifecycle.ts';
import { isFinished } from '../../../core/model/status.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import { findPendingStop } from '../../../core/state/stopping.ts';
import { listIssueWorkers } from '../../../core/state/workers.ts';
import type { StopAnswer } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { LoopControl } from '../../loop/control.ts';
import { buildIssueHoldEvents, showHold } from '../operator/hold.ts';

export interface StopRequest {
  readonly by: string;
  /** If true, the daemon starts the worker again. If false, the issue is held. */
  readonly restart: boolean;
}

export async function stopByOperator(
  context: StateContext & PortContext,
  control: LoopControl,
  worker: WorkerRecord,
  { by, restart }: StopRequest,
): Promise<StopAnswer> {
  const { issue, mode } = worker;
  const id = toWorkerId(issue, mode);
  const holds = !restart && !isOver(context, issue);
  const why = `stopped the ${mode} worker`;
  let isNew = false;
  // One append ends the attempt and holds the issue, so that the daemon cannot start the worker
  // again in between.
  await control.stop(id, `stopped by ${by}`, (state) => {
    const events = holds
      ? buildIssueHoldEvents(state, issue, listLastSeenLabels(context, issue), { by, why })
      : [];
    isNew = events.length > 0;
    return events;
  });
  const isShown = !isNew || (await showHold(context, issue, by, why));
  context.wake(issue);
  const held = isHeld(context, issue);
  const says = [
    describeStop(context, id, worker),
    describeNext(context, worker, held, restart),
    ...listOtherWorkers(context, worker),
  ];
  if (!isShown) says.push('The board cannot be written to at the moment; it will show the hold later.');
  return { says: says.join(' '), held };
}

/** Describes the stop to the operator. `worker` is the worker's record from before the stop. */
function describeStop(
  { ledger, settings, clock }: StateContext,
  id: WorkerId,
  { facts, process, exit, zombie }: WorkerRecord,
): string {
  const state = toLifecycleState(facts);
  const now = ledger.state.workers.get(id);
  const stopping = now && findPendingStop(ledger.state, now, settings().health);
  const words = stopping === undefined ? 'stopped' : describePendingStop(stopping, clock.now());
  if (!hasEnded(state)) return `${id} is ${words}. Its commits and reports are kept.`;
  if (zombie === true) return `${id} did not exit when it was stopped. Run \`legion doctor\`.`;
  const hasProcess = process !== undefined && exit === undefined;
  if (!hasProcess) return `${id} is not running (${state}).`;
  return state === 'stopped' ? `${id} is already ${words}.` : `The process of ${id} is being stopped.`;
}

function describeNext(
  context: StateContext,
  { issue }: WorkerRecord,
  held: boolean,
  restart: boolean,
): string {
  if (held) return `${issue} is held: no worker starts for it until \`legion resume ${issue}\`.`;
  if (isOver(context, issue)) return `${issue} is finished; no worker starts for it.`;
  if (!restart) return '';
  if (context.ledger.state.breaker.open !== undefined)
    return 'No worker can start at the moment. Run `legion resume`.';
  return context.settings().autoAdvance
    ? `The daemon starts it again automatically; \`legion stop ${issue}\` without --restart would hold the issue.`
    : `No worker starts until \`legion advance ${issue}\`, because auto_advance is off.`;
}

function listOtherWorkers({ ledger }: StateContext, { issue, mode }: WorkerRecord): string[] {
  const running = listIssueWorkers(ledger.state, issue).filter(
    (other) => other.mode !== mode && isAtWork(toLifecycleState(other.facts)),
  );
  return running.map((other) => `The ${other.mode} worker of ${issue} is still running.`);
}

function isAtWork(state: ReturnType<typeof toLifecycleState>): boolean {
  return isLive(state) || isWaiting(state);
}

function isHeld(context: StateContext, issue: IssueId): boolean {
  return computeEffectiveLabels(listLastSeenLabels(context, issue), context.ledger.state, issue).has(
    'legion-paused',
  );
}

/**
 * Returns the labels as the loop last saw them, because an unreadable board must not prevent a
 * stop.
 */
function listLastSeenLabels({ boardView }: StateContext, issue: IssueId): readonly string[] {
  return boardView.find(issue)?.issue.labels ?? [];
}

function isOver({ boardView }: StateContext, issue: IssueId): boolean {
  const status = boardView.find(issue)?.status;
  return isFinished(status);
}
