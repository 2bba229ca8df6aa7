/** The board of a run: filled at the beginning, kept full while there is killing to do, and Done at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURE } from '../bench/support/legion.ts';
import type { Ask } from '../bench/support/operator.ts';

/** Twice the workers there are places for, so that a kill always meets work. */
const OPEN_LEAST = 20;
const LOOK_MS = 2_000;
/** The slowest worker thinks for three seconds, and a death is found within two: whoever stands still for so long stands for ever. */
const STILL_MOST_MS = 60_000;

type Say = (text: string) => void;

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

export class Board {
  readonly titles: string[] = [];
  issues: readonly Issue[] = [];
  readonly #first: number;

  constructor(first: number) {
    this.#first = first;
  }

  get inWords(): string {
    return `${this.#doneCount} of ${this.titles.length} issues Done`;
  }

  get #doneCount(): number {
    return this.issues.filter(({ status }) => status === 'Done').length;
  }

  async fill(ask: Ask): Promise<void> {
    while (this.titles.length < this.#first) await this.#add(ask);
  }

  /** A small board stays as small as it began. */
  async topUp(ask: Ask): Promise<void> {
    await this.#look(ask);
    const least = Math.min(OPEN_LEAST, Math.ceil(this.#first / 2));
    for (let open = this.titles.length - this.#doneCount; open < least; open += 1) await this.#add(ask);
  }

  /** `news`: how much has happened up to now. */
  async untilDone(ask: Ask, news: () => number, signal: AbortSignal, say: Say): Promise<void> {
    let heard = -1;
    let since = performance.now();
    for (;;) {
      await this.#look(ask);
      if (this.#doneCount >= this.titles.length) return;
      if (news() !== heard) since = performance.now();
      heard = news();
      if (performance.now() - since > STILL_MOST_MS)
        throw new Error(`nothing has happened for ${STILL_MOST_MS / 1_000} s, and only ${this.inWords}`);
      say(`all kills are done; ${this.inWords}`);
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async #look(ask: Ask): Promise<void> {
    this.issues = (await (await ask('GET', '/issues')).json()) as Issue[];
  }

  async #add(ask: Ask): Promise<void> {
    const number = this.titles.length + 1;
    const title = `Greet person ${number}`;
    await ask('POST', '/issues', { ...FEATURE, title, key: `chaos-${number}` });
    this.titles.push(title);
  }
}
