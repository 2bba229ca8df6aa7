/** Climbs the stop ladder for one process: ask, wait, TERM, KILL, drain; its identity is checked before each step. */

import { type StopFacts, stopLadder } from '../../core/health/stop-ladder.ts';
import { isHalted } from '../../core/state/halt.ts';
import type { ProcessEvidence } from '../../health/evidence.ts';
import type { ProcessExit, ProcessIdentity, ProcessObservation } from '../../hosts/host.ts';
import type { World } from '../world.ts';

/**
 * How often a process that should leave is looked at: a report, or a signal, is followed by its end within milliseconds. Who takes
 * longer is looked at after another tenth of the time it has taken, so that it costs little and its end is noticed soon.
 */
const LOOK_MS = 100;
const LOOK_MOST_MS = 1_000;
const LOOK_SHARE = 0.1;

/** The runner writes the exit status and flushes it to the disk; one that was killed too never will. */
const WRITTEN_WITHIN_MS = 2_000;
const EXIT_LOOK_MS = 10;

export type Ended =
  /** `signalled`: it did not go by itself. */
  | { readonly left: 'nothing'; readonly exit: ProcessExit | 'unknown'; readonly signalled: boolean }
  | { readonly left: 'zombie'; readonly why: string };

/** `asked`: when it was asked to leave, or that asking is pointless because it has been found dead. */
export async function endProcess(
  { host, clock, settings, ledger }: World,
  identity: ProcessIdentity,
  asked: StopFacts['asked'],
  signal: AbortSignal,
): Promise<Ended> {
  let facts: Omit<StopFacts, 'process' | 'group' | 'output'> = {
    orderedAt: clock.now(),
    asked,
    answer: 'none',
  };
  let goneAt: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const seen = await host.observe(identity);
    const now = clock.now();
    // Looked at in every round: a halt also cuts the grace of a stop that has begun before it.
    if (facts.asked !== 'pointless' && isHalted(ledger.swarm)) facts = { ...facts, asked: 'halted' };
    const step = stopLadder({ ...facts, ...factsOf(seen, now) }, now, settings().health);
    switch (step.step) {
      case 'done':
        // A moment after the last of it is gone, how it ended is written down.
        goneAt ??= now;
        if (seen.exit !== 'none' || now - goneAt >= WRITTEN_WITHIN_MS)
          return { left: 'nothing', exit: exitOf(seen), signalled: facts.termAt !== undefined };
        await clock.sleep(EXIT_LOOK_MS, signal);
        break;
      case 'record_zombie':
        return { left: 'zombie', why: step.why };
      case 'ask':
        // A headless agent listens to nobody in the middle of its turn: the question is that it is not started again.
        facts = { ...facts, asked: { at: now } };
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
        await clock.sleep(Math.max(1, Math.min(restOf(facts, now), (step.lookAgainAt ?? now) - now)), signal);
    }
  }
}

type Times = Pick<StopFacts, 'orderedAt' | 'termAt' | 'killAt'>;

function restOf({ orderedAt, termAt, killAt }: Times, now: number): number {
  const taken = now - (killAt ?? termAt ?? orderedAt);
  return Math.min(Math.max(taken * LOOK_SHARE, LOOK_MS), LOOK_MOST_MS);
}

export function factsOf(
  { alive, exit, children }: ProcessObservation,
  now: number,
): Pick<StopFacts, 'process' | 'group' | 'output'> {
  const group = 'unavailable' in children ? 'unavailable' : children.count > 0 ? 'left' : 'none';
  return { process: presence(alive, exit, now), group, output: 'closed' };
}

function presence(
  alive: ProcessObservation['alive'],
  exit: ProcessObservation['exit'],
  now: number,
): ProcessEvidence {
  if (typeof alive === 'object') return 'unavailable';
  if (alive) return { state: 'alive', identity: 'matches' };
  if (typeof exit === 'object' && 'at' in exit) return { state: 'gone', since: exit.at, exit };
  return { state: 'gone', since: now, exit: 'unknown' };
}

export function exitOf({ exit }: ProcessObservation): ProcessExit | 'unknown' {
  return typeof exit === 'object' && 'at' in exit ? exit : 'unknown';
}
