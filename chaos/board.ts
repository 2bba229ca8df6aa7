/**
 * Manages the board of a run: fills it at the start, keeps it full while kills remain, and waits
 * until all issues are Done.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURE } from '../bench/support/legion.ts';
import type { OperatorRequest } from '../bench/support/operator.ts';

/** Twice the number of worker slots, so that a kill always hits running work. */
const MIN_OPEN_ISSUES = 20;
const BOARD_POLL_MS = 2_000;
/**
 * If there are no events for this long, the board is stuck: the slowest worker takes three seconds,
 * and a crash is detected within two.
 */
const MAX_STILL_MS = 60_000;

type ReportProgress = (text: string) => void;

interface BoardIssue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

export class ChaosBoard {
  readonly titles: string[] = [];
  issues: readonly BoardIssue[] = [];
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

  async fill(ask: OperatorRequest): Promise<void> {
    while (this.titles.length < this.#first) await this.#add(ask);
  }

  /** Adds issues while too few are open. */
  async topUp(ask: OperatorRequest): Promise<void> {
    await this.#look(ask);
    const least = Math.min(MIN_OPEN_ISSUES, Math.ceil(this.#first / 2));
    for (let open = this.titles.length - this.#doneCount; open < least; open += 1) await this.#add(ask);
  }

  /** Waits until all issues are Done. `news` returns the number of events so far. */
  async untilDone(
    ask: OperatorRequest,
    news: () => number,
    signal: AbortSignal,
    say: ReportProgress,
  ): Promise<void> {
    let heard = -1;
    let since = performance.now();
    for (;;) {
      await this.#look(ask);
      if (this.#doneCount >= this.titles.length) return;
      if (news() !== heard) since = performance.now();
      heard = news();
      if (performance.now() - since > MAX_STILL_MS)
        throw new Error(`nothing has happened for ${MAX_STILL_MS / 1_000} s with only ${this.inWords}`);
      say(`all kills are done; ${this.inWords}`);
      await sleep(BOARD_POLL_MS, undefined, { signal });
    }
  }

  async #look(ask: OperatorRequest): Promise<void> {
    this.issues = (await (await ask('GET', '/issues')).json()) as BoardIssue[];
  }

  async #add(ask: OperatorRequest): Promise<void> {
    const number = this.titles.length + 1;
    const title = `Greet person ${number}`;
    await ask('POST', '/issues', { ...FEATURE, title, key: `chaos-${number}` });
    this.titles.push(title);
  }
}
