/** Schedules full board reads: soon after a change, rarely while nothing changes. */

import type { ApiBudget } from '../../core/model/api-budget.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { PollPace } from '../context/board-view.ts';
import type { DaemonSettings } from '../context/daemon-context.ts';

/**
 * Delay between the end of an issue and the next full pass. The pass is needed because other issues
 * may have been waiting for that issue.
 */
const FOLLOW_UP_MS = 250;

export class PollSchedule {
  readonly #clock: Clock;
  readonly #settings: () => DaemonSettings;
  readonly #budget: () => ApiBudget | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;
  #followUpAt: number | undefined;
  #unchanged = 0;
  #picture = '';
  #waitingForCi: readonly IssueId[] = [];

  constructor(clock: Clock, settings: () => DaemonSettings, budget: () => ApiBudget | undefined) {
    this.#clock = clock;
    this.#settings = settings;
    this.#budget = budget;
  }

  /** Time between two reads without a wake-up. */
  get intervalMs(): number {
    return this.pace.intervalMs;
  }

  /**
   * CI results arrive without a wake-up if there are no webhooks, so polling does not slow down
   * while a pull request waits for them.
   */
  get pace(): PollPace {
    const { normalMs, holding } = this.#settings().polling;
    const unchanged = this.#unchanged;
    const waitingForCi = this.#waitingForCi;
    const held = computePollIntervalMs(unchanged, normalMs, holding);
    const wanted = waitingForCi.length > 0 ? normalMs : held;
    const intervalMs = computeStretchedMs(wanted, this.#budget(), this.#clock.now());
    if (intervalMs > wanted) return { intervalMs, reason: 'api_budget', unchanged, waitingForCi };
    if (held > wanted) return { intervalMs, reason: 'waiting_for_ci', unchanged, waitingForCi };
    return { intervalMs, reason: held > normalMs ? 'unchanged' : 'normal', unchanged, waitingForCi };
  }

  get nextAt(): number {
    return Math.min(this.#lastAt + this.intervalMs, this.#followUpAt ?? Number.POSITIVE_INFINITY);
  }

  get isDue(): boolean {
    return this.nextAt <= this.#clock.now();
  }

  /**
   * Schedules a full pass soon. The first change of a burst sets the time, because a steady stream
   * of changes must not postpone the pass endlessly.
   */
  scheduleFollowUp(): void {
    this.#followUpAt ??= this.#clock.now() + FOLLOW_UP_MS;
    this.#unchanged = 0;
  }

  /** Requests a read at once, because everything may have changed. */
  scheduleNow(): void {
    this.#followUpAt = this.#clock.now();
    this.#unchanged = 0;
  }

  /** Records that the whole board has been read. */
  recordRead(board: readonly ObservedIssue[], begunAt: number): void {
    const picture = JSON.stringify(board.map(({ issue, pullRequest }) => [issue, pullRequest]));
    // Polling does not slow down while a checkout blocks a merge, because committing or stashing
    // the files in a checkout emits no event.
    const waitsForCheckout = board.some(({ checkouts = [] }) => checkouts.length > 0);
    this.#unchanged = picture === this.#picture && !waitsForCheckout ? this.#unchanged + 1 : 0;
    this.#picture = picture;
    this.#waitingForCi = board.flatMap(({ issue, pullRequest }) =>
      typeof pullRequest === 'object' && pullRequest.state === 'open' && pullRequest.ci === 'pending'
        ? [issue.id]
        : [],
    );
    this.#lastAt = this.#clock.now();
    // A wake-up that arrived during the read requires another read.
    if ((this.#followUpAt ?? 0) <= begunAt) this.#followUpAt = undefined;
  }
}

/**
 * Returns whether a change of pace is worth a line in the log. With a low API budget the interval
 * differs after each read, which would flood the log.
 */
export function hasPaceChanged(previous: PollPace, pace: PollPace): boolean {
  if (previous.reason !== pace.reason) return true;
  return pace.reason !== 'api_budget' && previous.intervalMs !== pace.intervalMs;
}

/**
 * Webhooks and reports wake the loop at once, so polling is only a safety net. Comparable tools
 * also poll every 30 s.
 */
const NORMAL_POLL_MS = 30_000;

/** Longer intervals after this many polls without a change. */
const HOLDING_PATTERN: readonly { readonly unchanged: number; readonly ms: number }[] = [
  { unchanged: 20, ms: 15 * 60_000 },
  { unchanged: 5, ms: 5 * 60_000 },
];

/**
 * Computes the time until the next board read if nothing wakes the loop. `unchanged` counts
 * consecutive polls without a change; any change or wake-up resets it.
 */
export function computePollIntervalMs(
  unchanged: number,
  normalMs = NORMAL_POLL_MS,
  holding = HOLDING_PATTERN,
): number {
  const held = holding.find((level) => unchanged >= level.unchanged)?.ms ?? normalMs;
  return Math.max(held, normalMs);
}

/** Length of GitHub's rate-limit window, the longest among the supported services. */
const BUDGET_WINDOW_MS = 60 * 60_000;

/**
 * Polling does not slow down while at least this share of the budget is left: a burst of work early
 * in the window is fine.
 */
const PLENTIFUL_SHARE = 0.5;

/**
 * Share of the budget that is reserved for writes, because a report that cannot be written is worse
 * than a late poll.
 */
const RESERVED_SHARE = 0.1;

/**
 * Maximum interval to which polling slows down. Waits are longer only if the budget has shrunk to
 * its reserve.
 */
const MAX_STRETCHED_MS = 15 * 60_000;

/**
 * Polls less often as the service's API budget runs low, so that the budget lasts until the reset.
 * For example, if only half of the budget expected at this point of the window is left, the
 * interval doubles.
 */
export function computeStretchedMs(intervalMs: number, budget: ApiBudget | undefined, now: number): number {
  if (budget === undefined || budget.limit <= 0 || budget.resetsAt <= now) return intervalMs;
  const untilWhole = Math.min(budget.resetsAt - now, BUDGET_WINDOW_MS);
  const share = budget.remaining / budget.limit;
  // A budget that refills gradually can be used long before it is full again.
  const untilSome = budget.evenly === true ? Math.min(untilWhole, MAX_STRETCHED_MS) : untilWhole;
  if (share <= RESERVED_SHARE) return Math.max(intervalMs, untilSome);
  const due = untilWhole / BUDGET_WINDOW_MS;
  if (share >= PLENTIFUL_SHARE || share >= due) return intervalMs;
  return Math.max(intervalMs, Math.min((intervalMs * due) / share, MAX_STRETCHED_MS));
}
