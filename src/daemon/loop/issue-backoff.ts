/** Issues whose last step failed rest for a while, so that one poisoned issue neither floods the world nor stops the others. */

import type { IssueId } from '../../core/model/ids.ts';
import type { Clock } from '../../domain/clock.ts';

/** 5, 10, 20, 40, 80, 160, 300, 300 … s: an outage of minutes is survived, one of hours costs little. */
const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

export class Cooling {
  readonly #clock: Clock;
  readonly #issues = new Map<IssueId, { readonly failures: number; readonly until: number }>();

  readonly #resting = new Set<IssueId>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  failed(issue: IssueId): void {
    const failures = (this.#issues.get(issue)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
    this.#issues.set(issue, { failures, until: this.#clock.now() + pause });
    this.#resting.add(issue);
  }

  succeeded(issue: IssueId): void {
    this.#issues.delete(issue);
    this.#resting.delete(issue);
  }

  /** Those that have rested and were not named since: somebody has to look at them again. */
  rested(): IssueId[] {
    const now = this.#clock.now();
    const rested = [...this.#resting].filter((issue) => (this.#issues.get(issue)?.until ?? 0) <= now);
    for (const issue of rested) this.#resting.delete(issue);
    return rested;
  }

  isResting(issue: IssueId): boolean {
    return (this.#issues.get(issue)?.until ?? 0) > this.#clock.now();
  }

  /** When the first of those nobody has come back for is rested; undefined where there is none. */
  get wakeAt(): number | undefined {
    const times = [...this.#resting].flatMap((issue) => this.#issues.get(issue)?.until ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
