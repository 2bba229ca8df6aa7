/** How long the journal is in time, and how much happened when: a histogram that keeps its size. */
import type { Event } from '../../../../core/model/event.ts';
import type { JournalSpan } from '../../../../protocol/dashboard.ts';

/** Parts that are shown at the most; with more, two become one. A slider has some hundred pixels. */
const PARTS_MOST = 120;
/** A part at first; it doubles as the journal grows: a day then has 82 parts of 17.5 min. */
const PART_MS = 1_000;

export class SpanRecord {
  #first: JournalSpan['first'] | undefined;
  #last: JournalSpan['last'] | undefined;
  #counts: number[] = [];
  #partMs = PART_MS;

  take({ seq: version, at }: Event): void {
    this.#first ??= { version, at };
    this.#last = { version, at };
    const from = this.#first.at;
    // By a clock that was set back it would lie before the beginning.
    const passed = Math.max(0, at - from);
    while (passed >= this.#partMs * PARTS_MOST) this.#double();
    const part = Math.floor(passed / this.#partMs);
    while (this.#counts.length <= part) this.#counts.push(0);
    this.#counts[part] = (this.#counts[part] ?? 0) + 1;
  }

  /** Undefined before anything was taken in. */
  get span(): JournalSpan | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return undefined;
    const parts = this.#counts.map((count, index) => ({ from: first.at + index * this.#partMs, count }));
    return { first, last, parts };
  }

  #double(): void {
    const half = Math.ceil(this.#counts.length / 2);
    this.#counts = Array.from(
      { length: half },
      (_, index) => (this.#counts[2 * index] ?? 0) + (this.#counts[2 * index + 1] ?? 0),
    );
    this.#partMs *= 2;
  }
}
