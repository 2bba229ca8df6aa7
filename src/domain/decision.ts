/** What the engine suggests for one issue, and why. */
import type { Action } from '../core/model/action.ts';
import type { Mode } from './mode.ts';

/** What ends the state the issue is in after this decision: nothing ever waits on nothing. */
export interface Until {
  readonly by: 'event' | 'time' | 'person' | 'nothing_more';
  readonly what: string;
  /** What a person types to end it, with ISSUE for the id; there whenever a person has to act. */
  readonly next?: string;
}

export interface Decision {
  readonly action: Action;
  readonly mode: Mode;
  /** A stable word for machines, such as `ci_pending`. */
  readonly reason: string;
  /** The facts that led here, as `name=value`. */
  readonly evidence: readonly string[];
  readonly until: Until;
}
