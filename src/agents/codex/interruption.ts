/**
 * When a turn is cut short: not before Codex has taken it up. A SIGINT that comes between the beginning of its thread and that of its turn is
 * lost on it, and one that comes at that very moment can lose the prompt. Nothing runs before, so nothing is missed by waiting.
 */

/** ms from the beginning of the turn until its prompt is surely in the thread; 10 were enough wherever it was tried. */
const SETTLED_MS = 1_000;

/** A start that takes longer is cut short as it is, at the risk that the signal is lost on it and the next one leaves a command behind. */
const LONGEST_WAIT_MS = 30_000;

export class Interruption {
  readonly #asked: AbortSignal;
  readonly #taken: () => void;
  readonly #cut = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #isTaken = false;

  /** `taken` is called once, when the prompt is in the thread. */
  constructor(asked: AbortSignal, taken: () => void) {
    this.#asked = asked;
    this.#taken = taken;
    asked.addEventListener('abort', this.#wait, { once: true });
    if (asked.aborted) this.#wait();
  }

  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  begun(): void {
    this.#timers.push(setTimeout(() => this.underWay(), SETTLED_MS));
  }

  /** The model has answered, or had the time to. */
  underWay(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    this.#taken();
    if (this.#asked.aborted) this.#cut.abort();
  }

  close(): void {
    this.#asked.removeEventListener('abort', this.#wait);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #wait = (): void => {
    if (this.#isTaken) this.#cut.abort();
    else this.#timers.push(setTimeout(() => this.#cut.abort(), LONGEST_WAIT_MS));
  };
}
