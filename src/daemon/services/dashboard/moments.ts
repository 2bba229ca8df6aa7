/**
 * Restores the state at any past moment, fast enough for a slider that is dragged across the
 * journal.
 */
import type { Event } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { evolve } from '../../../core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../../core/state/state.ts';
import type { JournalMoment, Ledger } from '../../context/ledger.ts';
import { copyState, type JournalHistory, type Keyframe } from './history.ts';

/**
 * Number of recently requested states that are kept. They are requested again when the slider is
 * dragged back and forth, and a fold to another moment starts at the nearest kept state.
 */
const MAX_KEPT_STATES = 16;

const INITIAL_KEYFRAME: Keyframe = {
  get state() {
    return createLegionState();
  },
  at: Number.NEGATIVE_INFINITY,
  latestAt: Number.NEGATIVE_INFINITY,
};

export class PastStates {
  readonly #ledger: Ledger;
  readonly #history: JournalHistory;
  /** Most recently requested last. */
  #kept: readonly Keyframe[] = [];

  constructor(ledger: Ledger, history: JournalHistory) {
    this.#ledger = ledger;
    this.#history = history;
  }

  /**
   * Returns the state at a moment, equal to a fold from the beginning. A moment before the first
   * event is treated as that of the first event, and a moment after the last event as that of the
   * last.
   */
  async at({ version, time = Number.POSITIVE_INFINITY }: JournalMoment): Promise<Keyframe> {
    const through = Math.min(Math.max(version ?? this.#ledger.version, 1), this.#ledger.version);
    await this.#history.catchUp().catch(throwUnlessDamaged);
    const found = this.#foldable(through, time);
    const moment =
      found.state.version === through ? found : await foldKeyframe(this.#ledger, found, through, time);
    this.#keep(moment);
    return moment;
  }

  /** Returns the latest known state that contains no event after the moment. */
  #foldable(through: number, time: number): Keyframe {
    let best = INITIAL_KEYFRAME;
    for (const frame of [...this.#history.keyframes.all, ...this.#kept]) {
      const { version } = frame.state;
      // The first event is part of every state, however early the moment.
      const isBefore = version <= through && (frame.latestAt <= time || version === 1);
      if (isBefore && version > best.state.version) best = frame;
    }
    return best;
  }

  #keep(moment: Keyframe): void {
    const others = this.#kept.filter(({ state }) => state.version !== moment.state.version);
    this.#kept = [...others, moment].slice(-MAX_KEPT_STATES);
  }
}

async function foldKeyframe(
  ledger: Ledger,
  from: Keyframe,
  through: number,
  time: number,
): Promise<Keyframe> {
  let { at, latestAt } = from;
  let state: LegionState | undefined;
  const isPast = (event: Event) => event.at > time && event.seq > 1;
  for await (const batch of ledger.read(from.state.version, through)) {
    for (const event of batch) {
      if (isPast(event)) return state === undefined ? from : { state: state, at, latestAt };
      state = evolve(state ?? copyState(from.state), event);
      at = event.at;
      latestAt = Math.max(latestAt, at);
    }
  }
  return state === undefined ? from : { state: state, at, latestAt };
}

/**
 * States before an unreadable row can still be shown. A query for a later state reads the row again
 * and fails.
 */
function throwUnlessDamaged(error: unknown): void {
  const isDamage =
    error instanceof LegionError && (error.code === 'journal.corrupt' || error.code === 'journal.newer');
  if (!isDamage) throw error;
}
