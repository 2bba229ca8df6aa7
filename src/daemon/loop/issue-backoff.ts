/**
 * Delays retries of issues whose last step failed, so that one broken issue neither floods services
 * nor blocks other issues.
 */
import type { Clock } from '../../core/model/clock.ts';
import type { IssueId } from '../../core/model/ids.ts';

/**
 * The backoff is 5, 10, 20, 40, 80, 160, 300, 300 … s. Issues are retried soon after an outage of
 * minutes, and retries cost little during an outage of hours.
 */
const INITIAL_ISSUE_BACKOFF_MS = 5_000;
const MAX_ISSUE_BACKOFF_MS = 300_000;

export class IssueBackoff {
  readonly #clock: Clock;
  readonly #issues = new Map<IssueId, { readonly failures: number; readonly until: number }>();

  readonly #waiting = new Set<IssueId>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  recordFailure(issue: IssueId): void {
    const failures = (this.#issues.get(issue)?.failures ?? 0) + 1;
    const pause = Math.min(INITIAL_ISSUE_BACKOFF_MS * 2 ** (failures - 1), MAX_ISSUE_BACKOFF_MS);
    this.#issues.set(issue, { failures, until: this.#clock.now() + pause });
    this.#waiting.add(issue);
  }

  recordSuccess(issue: IssueId): void {
    this.#issues.delete(issue);
    this.#waiting.delete(issue);
  }

  /**
   * Returns the issues whose backoff has ended and that must be reconciled again. Each is returned
   * only once.
   */
  takeDue(): IssueId[] {
    const now = this.#clock.now();
    const rested = [...this.#waiting].filter((issue) => (this.#issues.get(issue)?.until ?? 0) <= now);
    for (const issue of rested) this.#waiting.delete(issue);
    return rested;
  }

  isBackingOff(issue: IssueId): boolean {
    return (this.#issues.get(issue)?.until ?? 0) > this.#clock.now();
  }

  /** Returns the time at which the next backoff ends. Undefined if no issue is backing off. */
  get wakeAt(): number | undefined {
    const times = [...this.#waiting].flatMap((issue) => this.#issues.get(issue)?.until ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
