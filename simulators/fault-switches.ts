/** What goes wrong on purpose: which request is to be answered otherwise, and whether it is carried out before. */
import { fraction, nextState } from './draw.ts';

export type Outage = 'refused' | 'hanging' | 500 | 502 | 503 | undefined;

/** The next requests that match are answered with `answer`, each service's own ways of failing. */
export interface Switched<Answer> {
  /** A part of the request's name; any request where absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer: Answer;
  readonly executed?: boolean;
}

export interface Asked {
  /** The operation's name, or the route as documented. */
  readonly name: string;
  readonly write: boolean;
}

export interface Struck<Answer> {
  readonly answer: Answer;
  readonly executed: boolean;
}

export class FaultSwitches<Answer> {
  outage: Outage;
  readonly #next: { fault: Switched<Answer>; left: number }[] = [];
  #share = 0;
  #state = 0;

  next(fault: Switched<Answer>): void {
    this.#next.push({ fault, left: fault.times ?? 1 });
  }

  loseWrites(share: number, seed: number): void {
    this.#share = share;
    this.#state = seed;
  }

  /** Whether this request is struck, and how; asked once a request. */
  strike({ name, write }: Asked): Struck<Answer | { readonly reset: true }> | undefined {
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
