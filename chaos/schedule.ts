/** When and whom the harness kills: follows from the seed alone, so that the same seed kills in the same way again. */
import type { EventType } from '../src/core/model/event.ts';
import { type Random, randomFrom } from '../src/sim/random.ts';

/** The moments between an intent, its effect and its outcome, where a daemon that dies leaves most to put right. */
const TELLING: readonly [EventType, ...EventType[]] = [
  'intent.opened',
  'attempt.dispatched',
  'attempt.spawned',
  'attempt.reported',
  'attempt.report_accepted',
  'attempt.exited',
  'merge.landed',
  'intent.settled',
];

type Victim = 'daemon' | 'worker' | 'runner' | 'daemon and worker';

export interface Kill {
  /** After so many milliseconds, or so many after the next event of a type. */
  readonly moment: { readonly after: number; readonly event?: EventType };
  readonly victim: Victim;
  /** Which of those that are there, from 0 up to 1. */
  readonly which: number;
}

/** Between two kills: long enough for a few steps, short enough to meet them in the middle. */
const PAUSE_LEAST_MS = 50;
const PAUSE_MOST_MS = 1_500;
/** What follows an event (the performing of an intent, the settling of a spawn) is over within this. */
const AFTER_EVENT_MOST_MS = 25;

export function schedule(seed: number, kills: number): readonly Kill[] {
  const random = randomFrom(seed);
  return Array.from({ length: kills }, () => nextKill(random));
}

/** Draws as many numbers whatever comes out, so that one kill does not shift those after it. */
function nextKill(random: Random): Kill {
  const isTelling = random.chance(0.5);
  const event = random.pick(TELLING);
  // Half of them at once, the others while its consequences are being drawn.
  const isAtOnce = random.chance(0.5);
  const afterEvent = random.between(1, AFTER_EVENT_MOST_MS);
  const pause = random.between(PAUSE_LEAST_MS, PAUSE_MOST_MS);
  const victim = victimAt(random.next());
  const which = random.next();
  const moment = isTelling ? { after: isAtOnce ? 0 : afterEvent, event } : { after: pause };
  return { moment, victim, which };
}

function victimAt(drawn: number): Victim {
  if (drawn < 0.12) return 'worker';
  if (drawn < 0.22) return 'runner';
  return drawn < 0.3 ? 'daemon and worker' : 'daemon';
}
