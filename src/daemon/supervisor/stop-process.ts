/**
 * Climbs the stop ladder for one process: ask, wait, TERM, KILL, drain. Verifies the identity of
 * the process before each step.
 */
import type { ProcessEvidence } from '../../core/health/evidence.ts';
import { decideStopStep, type StopFacts } from '../../core/health/stop-ladder.ts';
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { WorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import { isBeingStopped, isHalted, isRunning } from '../../core/state/halt.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { ProcessExit, ProcessIdentity, ProcessObservation } from '../../ports/host.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';

/**
 * Initial poll interval for a process that should exit, which usually takes milliseconds after a
 * report or a signal. Each later interval is a tenth of the elapsed time, so that polls cost little
 * and still notice the exit soon.
 */
const INITIAL_POLL_MS = 100;
const MAX_POLL_MS = 1_000;
const POLL_SHARE = 0.1;

/**
 * Time to wait for the exit status, which the runner writes and flushes. A killed runner never
 * writes it.
 */
const EXIT_STATUS_LIMIT_MS = 2_000;
const EXIT_POLL_MS = 10;

export type ProcessStopResult =
  /** `signalled` means that the process did not exit by itself. */
  | { readonly left: 'nothing'; readonly exit: ProcessExit | 'unknown'; readonly signalled: boolean }
  | { readonly left: 'zombie'; readonly why: string };

/** How to ask a worker to stop, and how often it has answered that it is still working. */
export interface StopRequest {
  /** Resolves to the time from which the grace period counts. */
  ask(): Promise<number>;
  countExtensions(): number;
}

/**
 * `asked` is the time at which the process was asked to exit, or a `StopRequest` if it has not been
 * asked yet. It is `pointless` if asking is useless, because the worker was found dead.
 */
export async function stopProcess(
  { host, clock, settings, ledger }: StateContext & PortContext,
  identity: ProcessIdentity,
  asked: 'pointless' | { readonly at: number } | StopRequest,
  signal: AbortSignal,
): Promise<ProcessStopResult> {
  const request = typeof asked === 'object' && 'ask' in asked ? asked : undefined;
  let facts: Omit<StopFacts, 'process' | 'group' | 'output' | 'extensions'> = {
    orderedAt: clock.now(),
    asked: typeof asked === 'object' && 'ask' in asked ? 'not_yet' : asked,
  };
  let goneAt: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const observation = await host.observe(identity);
    const now = clock.now();
    // The halt is checked in every round, because it also ends the grace period of a stop that
    // began earlier.
    if (facts.asked !== 'pointless' && isHalted(ledger.state)) facts = { ...facts, asked: 'halted' };
    const extensions = request?.countExtensions() ?? 0;
    const step = decideStopStep(
      { ...facts, extensions, ...toStopFacts(observation, now) },
      now,
      settings().health,
    );
    switch (step.step) {
      case 'done':
        // The runner writes the exit status shortly after the last process is gone.
        goneAt ??= now;
        if (observation.exit !== 'none' || now - goneAt >= EXIT_STATUS_LIMIT_MS)
          return { left: 'nothing', exit: toProcessExit(observation), signalled: facts.termAt !== undefined };
        await clock.sleep(EXIT_POLL_MS, signal);
        break;
      case 'record_zombie':
        return { left: 'zombie', why: step.why };
      case 'ask':
        facts = { ...facts, asked: { at: (await request?.ask()) ?? now } };
        break;
      case 'term_group':
        await host.signal(identity, 'TERM');
        facts = { ...facts, termAt: now };
        break;
      case 'kill_group':
        await host.signal(identity, 'KILL');
        facts = { ...facts, killAt: now };
        break;
      case 'wait':
      case 'drain':
        await clock.sleep(
          Math.max(1, Math.min(computePollDelay(facts, now), (step.lookAgainAt ?? now) - now)),
          signal,
        );
    }
  }
}

type LadderTimes = Pick<StopFacts, 'orderedAt' | 'termAt' | 'killAt'>;

function computePollDelay({ orderedAt, termAt, killAt }: LadderTimes, now: number): number {
  const elapsedMs = now - (killAt ?? termAt ?? orderedAt);
  return Math.min(Math.max(elapsedMs * POLL_SHARE, INITIAL_POLL_MS), MAX_POLL_MS);
}

export function toStopFacts(
  { alive, exit, children }: ProcessObservation,
  now: number,
): Pick<StopFacts, 'process' | 'group' | 'output'> {
  const group = 'unavailable' in children ? 'unavailable' : children.count > 0 ? 'left' : 'none';
  return { process: toProcessEvidence(alive, exit, now), group, output: 'closed' };
}

function toProcessEvidence(
  alive: ProcessObservation['alive'],
  exit: ProcessObservation['exit'],
  now: number,
): ProcessEvidence {
  if (typeof alive === 'object') return 'unavailable';
  if (alive) return { state: 'alive', identity: 'matches' };
  if (typeof exit === 'object' && 'at' in exit) return { state: 'gone', since: exit.at, exit };
  return { state: 'gone', since: now, exit: 'unknown' };
}

export function toProcessExit({ exit }: ProcessObservation): ProcessExit | 'unknown' {
  return typeof exit === 'object' && 'at' in exit ? exit : 'unknown';
}

/**
 * Returns the identity of the process of a worker's current attempt. Undefined if it was not
 * started yet.
 */
export function findProcessIdentity({ process }: WorkerRecord): ProcessIdentity | undefined {
  if (process === undefined) return undefined;
  const { pid, startTime, marker = '' } = process;
  return { pid, startTime, marker };
}

/** Journals the intent and runs it without waiting. */
export type CommandExecutor = (command: Command) => void;

/**
 * Ends an attempt in the journal and begins the stop ladder for its process. Writes `alongside` in
 * the same append, even if the attempt is already over.
 */
export async function stopWorker(
  { ledger }: StateContext,
  order: CommandExecutor,
  id: WorkerId,
  why: string,
  alongside: (state: LegionState) => readonly EventBody[] = () => [],
): Promise<void> {
  const worker = ledger.state.workers.get(id);
  if (worker === undefined) throw new LegionError('worker.unknown', `There is no worker ${id}.`);
  const { issue, mode, attempt } = worker;
  // Ends the attempt in the journal first, which frees its slot, so that no start has to wait for a
  // worker that is being stopped.
  let hasSomethingToStop = false;
  await ledger.append((state) => {
    const present = state.workers.get(id);
    const isPresent = present?.attempt === attempt;
    const over = !isPresent || hasEnded(toLifecycleState(present.facts));
    hasSomethingToStop = isPresent && isRunning(present) && !(over && isBeingStopped(state, present));
    const stopped: EventBody[] = over ? [] : [{ type: 'attempt.stopped', issue, mode, attempt, why }];
    return [...alongside(state), ...stopped];
  });
  if (hasSomethingToStop) order({ kind: 'stop', issue, mode, attempt, evidence: [why] });
}
