/** The explanation that every health result contains. */
import type { EndCondition } from '../model/action.ts';

/**
 * Fields that all health results share: each result explains itself and states what would change
 * it.
 */
export interface HealthExplanation {
  /** One sentence with the facts. */
  readonly why: string;
  /** Facts as `name=value`. */
  readonly evidence: readonly string[];
  /** One sentence on what would change the result, and when that is checked. */
  readonly wouldChange: string;
  /** Kind of change that ends this situation. */
  readonly until: EndCondition['by'];
  /** Time of the next check. Absent only if nothing more will happen or the clock is unreadable. */
  readonly lookAgainAt?: number;
}
