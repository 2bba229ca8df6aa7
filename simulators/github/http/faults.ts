/** What goes wrong on purpose: which request is to be answered otherwise, and whether it is carried out before. */
import type { NextFault } from '../simulator.ts';

export type Outage = 'refused' | 'hanging' | 500 | 502 | 503 | undefined;

export interface Asked {
  /** The operation's name, or the route as documented. */
  readonly name: string;
  readonly write: boolean;
}

export interface Struck {
  readonly answer: NextFault['answer'];
  readonly executed: boolean;
}

export class FaultSwitches {
  outage: Outage;
  readonly #next: { fault: NextFault; left: number }[] = [];
  #share = 0;
  #state = 0;

  next(fault: NextFault): void {
    this.#next.push({ fault, left: fault.times ?? 1 });
  }

  loseWrites(share: number, seed: number): void {
    this.#share = share;
    this.#state = seed;
  }

  /** Whether this request is struck, and how; asked once a request. */
  strike({ name, write }: Asked): Struck | undefined {
    const at = this.#next.findIndex(
      ({ fault }) => fault.matching === undefined || name.includes(fault.matching),
    );
    const entry = this.#next[at];
    if (entry !== undefined) {
      entry.left -= 1;
      if (entry.left <= 0) this.#next.splice(at, 1);
      return { answer: entry.fault.answer, executed: entry.fault.executed ?? false };
    }
    // Executed, and then the connection breaks: the client cannot know.
    if (write && this.#share > 0 && this.#draw() < this.#share)
      return { answer: { reset: true }, executed: true };
    return undefined;
  }

  #draw(): number {
    this.#state = nextState(this.#state);
    return fraction(this.#state);
  }
}

/** Mulberry32: small, and the same everywhere from the same seed. */
export function nextState(state: number): number {
  return (state + 0x6d2b79f5) | 0;
}

export function fraction(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
