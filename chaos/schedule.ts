/**
 * Decides what the harness kills and when. Depends only on the seed, so the same seed repeats the
 * same kills.
 */
import type { EventType } from '../src/core/model/event.ts';
import { createSeededRandom, type SeededRandom } from '../src/sim/random.ts';

/**
 * Events between an intent, its effect and its outcome. A daemon that is killed after one of these
 * events leaves the most to recover.
 */
const REVEALING_EVENTS: readonly [EventType, ...EventType[]] = [
  'intent.opened',
  'attempt.dispatched',
  'attempt.spawned',
  'attempt.reported',
  'attempt.report_accepted',
  'attempt.exited',
  'merge.landed',
  'intent.settled',
];

type KillTarget = 'daemon' | 'worker' | 'runner' | 'daemon and worker';

export interface ScheduledKill {
  /**
   * Moment of the kill: `after` milliseconds from now, or from the next event of the type `event`
   * if it is set.
   */
  readonly moment: { readonly after: number; readonly event?: EventType };
  readonly victim: KillTarget;
  /** A number from 0 up to 1 that selects one of the running processes. */
  readonly which: number;
}

/**
 * Limits of the pause between two kills: long enough for a few steps, short enough to interrupt
 * them.
 */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_500;
/**
 * Time within which the direct consequences of an event (executing an intent, recording a spawn)
 * finish.
 */
const MAX_AFTER_EVENT_MS = 25;

export function schedule(seed: number, kills: number): readonly ScheduledKill[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: kills }, () => createNextKill(random));
}

/**
 * Draws the same number of random values for every kill, so that one kill does not affect the later
 * ones.
 */
function createNextKill(random: SeededRandom): ScheduledKill {
  const isTelling = random.chance(0.5);
  const event = random.pick(REVEALING_EVENTS);
  // Half of the kills after an event come at once, the others while the consequences of the event
  // are being processed.
  const isAtOnce = random.chance(0.5);
  const afterEvent = random.between(1, MAX_AFTER_EVENT_MS);
  const pause = random.between(MIN_PAUSE_MS, MAX_PAUSE_MS);
  const victim = pickKillTarget(random.next());
  const which = random.next();
  const moment = isTelling ? { after: isAtOnce ? 0 : afterEvent, event } : { after: pause };
  return { moment, victim, which };
}

function pickKillTarget(drawn: number): KillTarget {
  if (drawn < 0.12) return 'worker';
  if (drawn < 0.22) return 'runner';
  return drawn < 0.3 ? 'daemon and worker' : 'daemon';
}
