/** What a halt adds to the journal: the global hold, the end of every attempt, and a stop for every process. */

import { hasEnded, isLive, isWaiting, lifecycleOf } from '../../domain/lifecycle.ts';
import { presentWorkers } from '../../swarm/workers.ts';
import type { Command } from '../model/command.ts';
import type { EventBody } from '../model/event.ts';
import { type IssueId, type WorkerId, workerId } from '../model/ids.ts';
import type { Swarm, WorkerRecord } from './state.ts';

export interface HaltOrder {
  readonly by: string;
  readonly why: string;
}

export interface HaltStep {
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
  /** Workers that were live. */
  readonly stopped: readonly WorkerId[];
  /** Workers whose merge has begun; halting again after it has completed stops them, too. */
  readonly merging: readonly WorkerId[];
}

/** Idempotent: halting a halted legion stops only what is not being stopped yet. */
export function haltSwarm(
  swarm: Swarm,
  { by, why }: HaltOrder,
  isMerging: (issue: IssueId) => boolean,
): HaltStep {
  const hold = holdEvents(swarm, 'halt', by, `halted by ${by}: ${why}`);
  const workers = presentWorkers(swarm).flatMap(([, worker]) => (isRunning(worker) ? [worker] : []));
  const merging = workers.filter(({ issue, mode }) => mode === 'merge' && isMerging(issue));
  const others = workers.filter((worker) => !merging.includes(worker));
  const reason = `the legion was halted by ${by}`;
  const ended = others.flatMap(({ issue, mode, attempt, facts }): EventBody[] =>
    // A worker that waits for a person keeps its question: only its process ends.
    isLive(lifecycleOf(facts)) ? [{ type: 'attempt.stopped', issue, mode, attempt, why: reason }] : [],
  );
  const commands = others
    .filter((worker) => !isBeingStopped(swarm, worker))
    .map(({ issue, mode, attempt }, index) => {
      const command: Command = { kind: 'stop', issue, mode, attempt, evidence: [reason] };
      return { intent: swarm.lastIntent + index + 1, command };
    });
  const opened = commands.map(
    ({ intent, command }): EventBody => ({ type: 'intent.opened', intent, command }),
  );
  return {
    events: [...hold, ...ended, ...opened],
    commands,
    stopped: others.filter(({ facts }) => isLive(lifecycleOf(facts))).map(idOf),
    merging: merging.map(idOf),
  };
}

/** The event that sets a global hold; none where one at least as strong is set. */
export function holdEvents(
  { breaker }: Swarm,
  kind: 'pause' | 'halt',
  by: string,
  why: string,
): readonly EventBody[] {
  const present = breaker.open?.kind;
  if (present === 'halt' || present === kind) return [];
  return [{ type: 'breaker.opened', breaker: breaker.serial + 1, kind, by, why }];
}

export function isHalted({ breaker }: Swarm): boolean {
  return breaker.open?.kind === 'halt';
}

/** Its attempt has not ended, or its process may still be there. */
export function isRunning({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const state = lifecycleOf(facts);
  const mayHaveProcess = process !== undefined && exit === undefined && zombie !== true;
  return isLive(state) || ((isWaiting(state) || hasEnded(state)) && mayHaveProcess);
}

/** Its attempt was stopped, and its process has not ended yet. */
export function isStopping({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const hasProcess = process !== undefined && exit === undefined && zombie !== true;
  return hasProcess && lifecycleOf(facts) === 'stopped';
}

/** A stop of this attempt is under way or about to begin. */
export function isBeingStopped(swarm: Swarm, worker: WorkerRecord): boolean {
  return findStop(swarm, worker) !== undefined;
}

/** The order to stop this attempt, while it is carried out. */
export function findStop(
  { intents }: Swarm,
  { issue, mode, attempt }: WorkerRecord,
): Extract<Command, { kind: 'stop' }> | undefined {
  for (const { command } of intents.values()) {
    if (command.kind !== 'stop' || command.issue !== issue) continue;
    if (command.mode === mode && command.attempt === attempt) return command;
  }
  return undefined;
}

function idOf({ issue, mode }: WorkerRecord): WorkerId {
  return workerId(issue, mode);
}
