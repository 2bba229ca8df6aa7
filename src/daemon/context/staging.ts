/** Appends that are to be written in one commit, each made from the state that those before it lead to. */
import type { Event, EventBody } from '../../core/model/event.ts';
import { draftSwarm } from '../../core/state/draft.ts';
import { fold } from '../../core/state/evolve.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { Stamp } from '../../journal/journal.ts';

/**
 * Events, or a function that makes them when it is their turn, with the state then: whatever it takes from the state, such as
 * a serial, is still so when it is written. A commit that fails may be tried again, so it may be called more than once.
 */
export type AppendStep = readonly EventBody[] | ((swarm: Swarm, staged: Staged) => readonly EventBody[]);

/** What is in the state a step is given and is not written yet: listeners have not heard of it. */
export interface Staged {
  /** From the steps before it in the same append. */
  readonly own: readonly Event[];
  /** From other appends of the same commit. */
  readonly others: readonly Event[];
}

export class Staging {
  readonly #swarm: Swarm;
  readonly #stamp: Stamp;
  #events: Event[] = [];
  /** The state after everything staged but `#unfolded`; a draft as soon as it differs from the real one. */
  #state: Swarm;
  #unfolded: readonly Event[] = [];

  constructor(swarm: Swarm, stamp: Stamp) {
    this.#swarm = swarm;
    this.#stamp = stamp;
    this.#state = swarm;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** Throws what a step throws, and then nothing of this append is staged. */
  stage(steps: readonly AppendStep[]): readonly Event[] {
    const others = this.#events;
    let own: readonly Event[] = [];
    try {
      for (const step of steps) {
        const bodies = typeof step === 'function' ? step(this.#present(), { own, others }) : step;
        const events = this.#number(bodies, others.length + own.length);
        own = [...own, ...events];
        this.#unfolded = [...this.#unfolded, ...events];
      }
    } catch (error) {
      this.#state = this.#swarm;
      this.#unfolded = others;
      throw error;
    }
    this.#events = [...others, ...own];
    return own;
  }

  /** Folded only when another step asks: an append that is alone in its commit needs no draft. */
  #present(): Swarm {
    if (this.#unfolded.length > 0) {
      const draft = this.#state === this.#swarm ? draftSwarm(this.#swarm) : this.#state;
      this.#state = fold(draft, this.#unfolded);
      this.#unfolded = [];
    }
    return this.#state;
  }

  #number(bodies: readonly EventBody[], staged: number): Event[] {
    const first = this.#swarm.version + staged + 1;
    return bodies.map((body, index) => ({ ...body, ...this.#stamp, seq: first + index }));
  }
}
