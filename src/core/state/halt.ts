/**
 * Builds the events of a halt (the global hold, the end of every attempt, and a stop for every
 * process), and finds the workers that are running or being stopped.
 */
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';
import { type IssueId, toWorkerId, type WorkerId } from '../model/ids.ts';
import { hasEnded, isLive, isWaiting, toLifecycleState } from '../model/lifecycle.ts';
import type { LegionState, WorkerRecord } from './state.ts';
import { listPresentWorkers } from './workers.ts';

export interface HaltOrder {
  readonly by: string;
  readonly why: string;
}

export interface HaltPlan {
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
  /** Workers that were live. */
  readonly stopped: readonly WorkerId[];
  /** Workers whose merge has begun. Halting again after the merge completes stops them too. */
  readonly merging: readonly WorkerId[];
}

/** Idempotent: halting a halted legion stops only workers that are not being stopped yet. */
export function planHalt(
  state: LegionState,
  { by, why }: HaltOrder,
  isMerging: (issue: IssueId) => boolean,
): HaltPlan {
  const hold = buildGlobalHoldEvents(state, 'halt', by, `halted by ${by}: ${why}`);
  const workers = listPresentWorkers(state).flatMap(([, worker]) => (isRunning(worker) ? [worker] : []));
  const merging = workers.filter(({ issue, mode }) => mode === 'merge' && isMerging(issue));
  const others = workers.filter((worker) => !merging.includes(worker));
  const reason = `the legion was halted by ${by}`;
  const ended = others.flatMap(({ issue, mode, attempt, facts }): EventBody[] =>
    // A worker that is waiting for a person keeps its question: only its process ends.
    isLive(toLifecycleState(facts)) ? [{ type: 'attempt.stopped', issue, mode, attempt, why: reason }] : [],
  );
  const commands = others
    .filter((worker) => !isBeingStopped(state, worker))
    .map(({ issue, mode, attempt }, index) => {
      const command: Command = { kind: 'stop', issue, mode, attempt, evidence: [reason] };
      return { intent: state.lastIntent + index + 1, command };
    });
  const opened = commands.map(
    ({ intent, command }): EventBody => ({ type: 'intent.opened', intent, command }),
  );
  return {
    events: [...hold, ...ended, ...opened],
    commands,
    stopped: others.filter(({ facts }) => isLive(toLifecycleState(facts))).map(getWorkerId),
    merging: merging.map(getWorkerId),
  };
}

/** Returns the event that sets a global hold, or none if an equal or stronger hold is set. */
export function buildGlobalHoldEvents(
  { breaker }: LegionState,
  kind: 'pause' | 'halt',
  by: string,
  why: string,
): readonly EventBody[] {
  const present = breaker.open?.kind;
  if (present === 'halt' || present === kind) return [];
  return [{ type: 'breaker.opened', breaker: breaker.serial + 1, kind, by, why }];
}

export function isHalted({ breaker }: LegionState): boolean {
  return breaker.open?.kind === 'halt';
}

/** Returns whether the attempt has not ended or its process may still be running. */
export function isRunning({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const state = toLifecycleState(facts);
  const mayHaveProcess = process !== undefined && exit === undefined && zombie !== true;
  return isLive(state) || ((isWaiting(state) || hasEnded(state)) && mayHaveProcess);
}

/** Returns whether the attempt was stopped but its process has not exited. */
export function isStopping({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const hasProcess = process !== undefined && exit === undefined && zombie !== true;
  return hasProcess && toLifecycleState(facts) === 'stopped';
}

/** Returns whether a stop of this attempt is in progress or about to begin. */
export function isBeingStopped(state: LegionState, worker: WorkerRecord): boolean {
  return findStop(state, worker) !== undefined;
}

/** Returns the unfinished command that stops this attempt. */
export function findStop(
  { intents }: LegionState,
  { issue, mode, attempt }: WorkerRecord,
): Extract<Command, { kind: 'stop' }> | undefined {
  for (const { command } of intents.values()) {
    if (command.kind !== 'stop' || command.issue !== issue) continue;
    if (command.mode === mode && command.attempt === attempt) return command;
  }
  return undefined;
}

function getWorkerId({ issue, mode }: WorkerRecord): WorkerId {
  return toWorkerId(issue, mode);
}
