/** Stops a worker at an operator's word: its issue is held, unless the daemon is to start it again. */

import { type IssueId, type WorkerId, workerId } from '../../../core/model/ids.ts';
import { isFinished } from '../../../core/model/status.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import { hasEnded, isLive, isWaiting, lifecycleOf } from '../../../domain/lifecycle.ts';
import { describeStopping } from '../../../domain/stopping.ts';
import type { StopAnswer } from '../../../protocol/stopping.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { stoppingOf } from '../../../swarm/stopping.ts';
import { workersOf } from '../../../swarm/workers.ts';
import type { Control } from '../../control.ts';
import type { World } from '../../world.ts';
import { holdIssueEvents, showHold } from '../operator/hold-issue.ts';

export interface StopRequest {
  readonly by: string;
  /** Lets the daemon start the worker again instead of holding the issue. */
  readonly restart: boolean;
}

export async function stopByOperator(
  world: World,
  control: Control,
  worker: WorkerRecord,
  { by, restart }: StopRequest,
): Promise<StopAnswer> {
  const { issue, mode } = worker;
  const id = workerId(issue, mode);
  const holds = !restart && !isOver(world, issue);
  const why = `stopped the ${mode} worker`;
  let isNew = false;
  // One append ends the attempt and holds the issue: the daemon cannot start it again in between.
  await control.stop(id, `stopped by ${by}`, (swarm) => {
    const events = holds ? holdIssueEvents(swarm, issue, labelsOn(world, issue), { by, why }) : [];
    isNew = events.length > 0;
    return events;
  });
  const isShown = !isNew || (await showHold(world, issue, by, why));
  world.wake(issue);
  const held = isHeld(world, issue);
  const says = [
    describeStop(world, id, worker),
    describeNext(world, worker, held, restart),
    ...others(world, worker),
  ];
  if (!isShown) says.push('The board cannot be written now; it shows the hold once it can.');
  return { says: says.join(' '), held };
}

/** `worker`: as it was before the stop. */
function describeStop(
  { ledger, settings, clock }: World,
  id: WorkerId,
  { facts, process, exit, zombie }: WorkerRecord,
): string {
  const state = lifecycleOf(facts);
  const now = ledger.swarm.workers.get(id);
  const stopping = now && stoppingOf(ledger.swarm, now, settings().health);
  const words = stopping === undefined ? 'stopped' : describeStopping(stopping, clock.now());
  if (!hasEnded(state)) return `${id} is ${words}. What it has committed and reported stays.`;
  if (zombie === true) return `${id} did not end when it was stopped; see \`legion doctor\`.`;
  const hasProcess = process !== undefined && exit === undefined;
  if (!hasProcess) return `${id} is not running (${state}).`;
  return state === 'stopped' ? `${id} is already ${words}.` : `The process of ${id} is being stopped.`;
}

function describeNext(world: World, { issue }: WorkerRecord, held: boolean, restart: boolean): string {
  if (held) return `${issue} is held: nothing starts for it until \`legion resume ${issue}\`.`;
  if (isOver(world, issue)) return `${issue} is over; nothing starts for it.`;
  if (!restart) return '';
  if (world.ledger.swarm.breaker.open !== undefined)
    return 'No worker is started at present; `legion resume` ends that.';
  return world.settings().autoAdvance
    ? `The daemon starts it again by itself; \`legion stop ${issue}\` without --restart would hold the issue.`
    : `Nothing starts until \`legion advance ${issue}\`, because auto_advance is off.`;
}

function others({ ledger }: World, { issue, mode }: WorkerRecord): string[] {
  const running = workersOf(ledger.swarm, issue).filter(
    (other) => other.mode !== mode && isAtWork(lifecycleOf(other.facts)),
  );
  return running.map((other) => `The ${other.mode} worker of ${issue} is still running.`);
}

function isAtWork(state: ReturnType<typeof lifecycleOf>): boolean {
  return isLive(state) || isWaiting(state);
}

function isHeld(world: World, issue: IssueId): boolean {
  return effectiveLabels(labelsOn(world, issue), world.ledger.swarm, issue).has('legion-paused');
}

/** As the loop saw them last: a board that cannot be read must not keep anybody from stopping a worker. */
function labelsOn({ view }: World, issue: IssueId): readonly string[] {
  return view.of(issue)?.issue.labels ?? [];
}

function isOver({ view }: World, issue: IssueId): boolean {
  const status = view.of(issue)?.status;
  return isFinished(status);
}
