/** Whether one more worker may start in this pass: the breaker, the places, the distance between two starts. */

import { hasPlace, nextDispatchAt, type Places, placesTaken } from '../core/pipeline/order.ts';
import type { Swarm } from '../core/state/state.ts';
import { isLive, lifecycleOf } from '../domain/lifecycle.ts';
import type { Mode } from '../domain/mode.ts';
import { presentWorkers } from './workers.ts';

export interface StartLimits {
  readonly places: Places;
  /** The least time between two starts, in ms; 0 for agents that do not need it. */
  readonly staggerMs: number;
}

type NoRoom = 'breaker_open' | 'no_capacity' | 'stagger';

/** Counts what this pass starts on top of what was live before it. */
export class Room {
  readonly #limits: StartLimits;
  readonly #now: number;
  readonly #closed: boolean;
  readonly #taken: Partial<Record<Mode, number>> = {};
  #lastStart: number | undefined;

  constructor(swarm: Swarm, limits: StartLimits, now: number) {
    this.#limits = limits;
    this.#now = now;
    this.#closed = swarm.breaker.open !== undefined;
    this.#lastStart = swarm.lastDispatchAt;
    for (const [, { mode, facts }] of presentWorkers(swarm)) {
      if (isLive(lifecycleOf(facts))) this.#taken[mode] = (this.#taken[mode] ?? 0) + 1;
    }
  }

  get hasFreePlace(): boolean {
    return placesTaken(this.#taken) < this.#limits.places.workers;
  }

  /** When a start that was refused for coming too soon may be tried again. */
  get nextStartAt(): number {
    return nextDispatchAt(this.#lastStart, this.#now, this.#limits.staggerMs);
  }

  findRefusal(mode: Mode): NoRoom | undefined {
    if (this.#closed) return 'breaker_open';
    if (!hasPlace(mode, this.#taken, this.#limits.places)) return 'no_capacity';
    return this.nextStartAt > this.#now ? 'stagger' : undefined;
  }

  /** Only where nothing refuses it. */
  take(mode: Mode): void {
    this.#taken[mode] = (this.#taken[mode] ?? 0) + 1;
    this.#lastStart = this.#now;
  }
}
