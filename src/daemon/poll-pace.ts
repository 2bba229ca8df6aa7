/** When the whole board is read again: soon after a part of it changed, seldom while nothing does. */

import type { ApiBudget } from '../core/model/api-budget.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Clock } from '../domain/clock.ts';
import { pollIntervalMs } from '../swarm/poll-interval.ts';
import { stretchedMs } from '../swarm/stretch.ts';
import type { Settings } from './settings.ts';

/** When an issue is over everything is looked at within this: others may have waited for it. */
const FOLLOW_UP_MS = 250;

export class PollPace {
  readonly #clock: Clock;
  readonly #settings: () => Settings;
  readonly #budget: () => ApiBudget | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #followUpAt: number | undefined;
  #unchanged = 0;
  #picture = '';

  constructor(clock: Clock, settings: () => Settings, budget: () => ApiBudget | undefined) {
    this.#clock = clock;
    this.#settings = settings;
    this.#budget = budget;
  }

  /** From one look to the next while nobody hurries. */
  get intervalMs(): number {
    const { normalMs, holding } = this.#settings().polling;
    const held = pollIntervalMs(this.#unchanged, normalMs, holding);
    return stretchedMs(held, this.#budget(), this.#clock.now());
  }

  get nextAt(): number {
    return Math.min(this.#lastAt + this.intervalMs, this.#followUpAt ?? Number.POSITIVE_INFINITY);
  }

  get isDue(): boolean {
    return this.nextAt <= this.#clock.now();
  }

  /** The first of a burst decides: a steady stream of changes must not put it off for ever. */
  followUp(): void {
    this.#followUpAt ??= this.#clock.now() + FOLLOW_UP_MS;
    this.#unchanged = 0;
  }

  /** Somebody says that everything may have changed. */
  hurry(): void {
    this.#followUpAt = this.#clock.now();
    this.#unchanged = 0;
  }

  /** The whole board has been read. */
  seen(board: readonly SeenIssue[], begunAt: number): void {
    const picture = JSON.stringify(board.map(({ issue, pullRequest }) => [issue, pullRequest]));
    // A person who commits or stashes files tells nobody, so the pace stays.
    const waitsForCheckout = board.some(({ checkouts = [] }) => checkouts.length > 0);
    this.#unchanged = picture === this.#picture && !waitsForCheckout ? this.#unchanged + 1 : 0;
    this.#picture = picture;
    this.#lastAt = this.#clock.now();
    // Whoever hurried while the board was being read is not answered by that reading.
    if ((this.#followUpAt ?? 0) <= begunAt) this.#followUpAt = undefined;
  }
}
