/** Stages appends for one commit, each built on the state after the previous ones. */

import type { Event, EventBody } from '../../core/model/event.ts';
import { createDraftState } from '../../core/state/draft.ts';
import { foldEvents } from '../../core/state/evolve.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { EventStamp } from '../../ports/journal.ts';
import type { AppendStep } from './ledger.ts';

export class AppendStaging {
  readonly #base: LegionState;
  readonly #stamp: EventStamp;
  #events: Event[] = [];
  /**
   * State after all staged events except those in `#unfolded`. Initially the real state itself,
   * then a draft copy as soon as an event is folded.
   */
  #state: LegionState;
  #unfolded: readonly Event[] = [];

  constructor(state: LegionState, stamp: EventStamp) {
    this.#base = state;
    this.#stamp = stamp;
    this.#state = state;
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** Stages one append. If a step throws, rethrows its error and stages nothing of this append. */
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
      this.#state = this.#base;
      this.#unfolded = others;
      throw error;
    }
    this.#events = [...others, ...own];
    return own;
  }

  /**
   * Returns the state after all staged events. Folds them only when a step needs the state, because
   * a lone append needs no draft.
   */
  #present(): LegionState {
    if (this.#unfolded.length > 0) {
      const draft = this.#state === this.#base ? createDraftState(this.#base) : this.#state;
      this.#state = foldEvents(draft, this.#unfolded);
      this.#unfolded = [];
    }
    return this.#state;
  }

  #number(bodies: readonly EventBody[], staged: number): Event[] {
    const first = this.#base.version + staged + 1;
    return bodies.map((body, index) => ({ ...body, ...this.#stamp, seq: first + index }));
  }
}
