/** States of the past at even distances, so that any moment is a short fold away from one of them. */
import type { Swarm } from '../../../../core/state/state.ts';

/** Events between two of them at first: folding so many takes some 20 ms. */
const SPACING_EVENTS = 2_000;
/** With more of them every second one goes and the distance doubles: 128,000 events at 2,000, a million at 16,000. */
const KEYFRAMES_MOST = 64;

/** A state that nobody folds on, with the times of its events. */
export interface Keyframe {
  readonly swarm: Swarm;
  /** Of its last event. */
  readonly at: number;
  /** Of its latest event: a clock may have been set back since. */
  readonly latestAt: number;
}

export class Keyframes {
  #frames: Keyframe[] = [];
  #spacing = SPACING_EVENTS;
  #latestAt = Number.NEGATIVE_INFINITY;

  take(swarm: Swarm, at: number): void {
    this.#latestAt = Math.max(this.#latestAt, at);
    if (swarm.version % this.#spacing !== 0) return;
    this.#frames.push({ swarm: copyOf(swarm), at, latestAt: this.#latestAt });
    if (this.#frames.length <= KEYFRAMES_MOST) return;
    this.#spacing *= 2;
    this.#frames = this.#frames.filter(({ swarm: { version } }) => version % this.#spacing === 0);
  }

  get all(): readonly Keyframe[] {
    return this.#frames;
  }
}

/** The maps are the fold's own; the records in them are never changed, so that they are shared. */
export function copyOf(swarm: Swarm): Swarm {
  const { issues, workers, workersByIssue, present, failing, intents, messages, quotas, spending, board } =
    swarm;
  return {
    ...swarm,
    issues: new Map(issues),
    workers: new Map(workers),
    workersByIssue: new Map(workersByIssue),
    present: new Set(present),
    failing: new Set(failing),
    intents: new Map(intents),
    messages: new Map(messages),
    quotas: new Map(quotas),
    spending: new Map(spending),
    board: new Map(board),
  };
}
