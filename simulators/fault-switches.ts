/**
 * Injects faults: decides which requests get a failure response, and whether these requests are
 * executed before they fail.
 */
import { computeNextState, toFraction } from './draw.ts';

export type SimulatedOutage = 'refused' | 'hanging' | 500 | 502 | 503 | undefined;

/**
 * A fault for the next matching requests. Each of them gets `answer`, which is one of the service's
 * own failure responses.
 */
export interface SwitchedFault<Answer> {
  /** A part of the request's name. Matches any request if absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer: Answer;
  readonly executed?: boolean;
}

export interface FaultCandidate {
  /** The operation's name, or the documented route. */
  readonly name: string;
  readonly write: boolean;
}

export interface InjectedFault<Answer> {
  readonly answer: Answer;
  readonly executed: boolean;
}

export class FaultSwitches<Answer> {
  outage: SimulatedOutage;
  readonly #next: { fault: SwitchedFault<Answer>; left: number }[] = [];
  #share = 0;
  #state = 0;

  next(fault: SwitchedFault<Answer>): void {
    this.#next.push({ fault, left: fault.times ?? 1 });
  }

  loseWrites(share: number, seed: number): void {
    this.#share = share;
    this.#state = seed;
  }

  /** Returns the fault for this request, if any. Call once per request. */
  strike({ name, write }: FaultCandidate): InjectedFault<Answer | { readonly reset: true }> | undefined {
    const at = this.#next.findIndex(
      ({ fault }) => fault.matching === undefined || name.includes(fault.matching),
    );
    const entry = this.#next[at];
    if (entry !== undefined) {
      entry.left -= 1;
      if (entry.left <= 0) this.#next.splice(at, 1);
      return { answer: entry.fault.answer, executed: entry.fault.executed ?? false };
    }
    // Executes the write and then resets the connection, so the client cannot know the outcome.
    if (write && this.#share > 0 && this.#draw() < this.#share)
      return { answer: { reset: true }, executed: true };
    return undefined;
  }

  #draw(): number {
    this.#state = computeNextState(this.#state);
    return toFraction(this.#state);
  }
}
