/** The state at any moment of the past, quickly enough to drag a slider over it. */
import type { Event } from '../../../../core/model/event.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { evolve } from '../../../../core/state/evolve.ts';
import { emptySwarm, type Swarm } from '../../../../core/state/state.ts';
import type { Ledger } from '../../../context/journal-ledger.ts';
import type { Moment } from '../../../load-swarm.ts';
import type { Chronicle } from './chronicle.ts';
import { copyOf, type Keyframe } from './keyframes.ts';

/** Moments lately asked for: whoever drags back and forth meets them again, and the next one begins at the nearest. */
const KEPT_MOST = 16;

const BEGINNING: Keyframe = {
  get swarm() {
    return emptySwarm();
  },
  at: Number.NEGATIVE_INFINITY,
  latestAt: Number.NEGATIVE_INFINITY,
};

export class Moments {
  readonly #ledger: Ledger;
  readonly #chronicle: Chronicle;
  /** The one that was asked for last is last. */
  #kept: readonly Keyframe[] = [];

  constructor(ledger: Ledger, chronicle: Chronicle) {
    this.#ledger = ledger;
    this.#chronicle = chronicle;
  }

  /** The same as a fold from the beginning gives. A moment before the first event is that of the first, one after the last that of the last. */
  async at({ version, time = Number.POSITIVE_INFINITY }: Moment): Promise<Keyframe> {
    const through = Math.min(Math.max(version ?? this.#ledger.version, 1), this.#ledger.version);
    await this.#chronicle.caughtUp().catch(unlessDamaged);
    const found = this.#foldable(through, time);
    const moment = found.swarm.version === through ? found : await foldOn(this.#ledger, found, through, time);
    this.#keep(moment);
    return moment;
  }

  /** The latest known state that has nothing in it that comes after the moment. */
  #foldable(through: number, time: number): Keyframe {
    let best = BEGINNING;
    for (const frame of [...this.#chronicle.keyframes.all, ...this.#kept]) {
      const { version } = frame.swarm;
      // The first event belongs to every moment, however early.
      const isBefore = version <= through && (frame.latestAt <= time || version === 1);
      if (isBefore && version > best.swarm.version) best = frame;
    }
    return best;
  }

  #keep(moment: Keyframe): void {
    const others = this.#kept.filter(({ swarm }) => swarm.version !== moment.swarm.version);
    this.#kept = [...others, moment].slice(-KEPT_MOST);
  }
}

async function foldOn(ledger: Ledger, from: Keyframe, through: number, time: number): Promise<Keyframe> {
  let { at, latestAt } = from;
  let swarm: Swarm | undefined;
  const isPast = (event: Event) => event.at > time && event.seq > 1;
  for await (const batch of ledger.read(from.swarm.version, through)) {
    for (const event of batch) {
      if (isPast(event)) return swarm === undefined ? from : { swarm, at, latestAt };
      swarm = evolve(swarm ?? copyOf(from.swarm), event);
      at = event.at;
      latestAt = Math.max(latestAt, at);
    }
  }
  return swarm === undefined ? from : { swarm, at, latestAt };
}

/** What lies before a row that cannot be read can be shown all the same; who asks for more meets the row again, and is told. */
function unlessDamaged(error: unknown): void {
  const isDamage =
    error instanceof LegionError && (error.code === 'journal.corrupt' || error.code === 'journal.newer');
  if (!isDamage) throw error;
}
