/** What one look at an attempt concludes, why, what follows, and what would change it. */
import type { Until } from '../domain/decision.ts';
import type { Condition } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import type { HealthLimits } from './limits.ts';

/** One look at one attempt: pure functions need nothing else. */
export interface Look {
  readonly evidence: HealthEvidence;
  readonly now: number;
  readonly limits: HealthLimits;
}

/**
 * - `healthy`       it works, or its report is on its way.
 * - `starting`      dispatched, and still within the time a start may take.
 * - `waiting`       on a person or on the provider's quota.
 * - `suspicious`    one of the three steps is under way.
 * - `crashed`       it died or hung, by joined evidence.
 * - `never_started` it never began to work.
 * - `lost_message`  it reported, and the report changed nothing.
 * - `misplaced`     it runs without its workspace.
 * - `zombie`        its attempt has ended and its process has not.
 * - `corrupt`       its facts cannot all be true.
 * - `ended`         nothing more will happen to this attempt.
 * - `unknown`       too little can be read; unknown is not dead.
 */
export type Verdict =
  | 'healthy'
  | 'starting'
  | 'waiting'
  | 'suspicious'
  | 'crashed'
  | 'never_started'
  | 'lost_message'
  | 'misplaced'
  | 'zombie'
  | 'corrupt'
  | 'ended'
  | 'unknown';

/**
 * - `leave_alone` · `flag` raise suspicion · `probe_ask` a question as a turn · `examine` look, never prompt · `clear` the flag.
 * - `confirm_crash` and `replace_once` count a crash and go on with `respawn`; `dispatch` starts what never began.
 * - `recover_report` goes on with `verifyReport`; `hold_for_quota` records the wait, `resume_after_quota` ends it.
 * - `remind` and `ask_person` tell a person, `report_corruption` and `stop_and_report` too.
 * - `reap_at_cleanup` leaves a zombie to the cleanup.
 */
export type Step =
  | 'leave_alone'
  | 'flag'
  | 'probe_ask'
  | 'examine'
  | 'clear'
  | 'confirm_crash'
  | 'replace_once'
  | 'dispatch'
  | 'recover_report'
  | 'hold_for_quota'
  | 'resume_after_quota'
  | 'remind'
  | 'ask_person'
  | 'report_corruption'
  | 'stop_and_report'
  | 'reap_at_cleanup';

/** The part every answer of this room has in common: it explains itself and never waits on nothing. */
export interface Explanation {
  /** One sentence with the facts. */
  readonly why: string;
  /** The facts as `name=value`. */
  readonly evidence: readonly string[];
  /** One sentence: what would lead to another answer, and when that is looked for. */
  readonly wouldChange: string;
  /** What ends this situation. */
  readonly until: Until['by'];
  /** When to look again; absent only where nothing more will happen, or the clock cannot be read. */
  readonly lookAgainAt?: number;
}

export interface Judgement extends Explanation {
  readonly verdict: Verdict;
  /** What the attempt is doing, as in the table of limits. */
  readonly state: Condition;
  readonly next: Step;
  /** The independent sources that speak for death; at least two wherever something living may be ended. */
  readonly grounds: readonly string[];
}

/** What a rule finds; the evidence, the state and the time to look again are filled in by `judge`. */
export interface Finding {
  readonly verdict: Verdict;
  readonly next: Step;
  readonly why: string;
  readonly wouldChange: string;
  readonly until: Until['by'];
  readonly lookAgainAt?: number;
  readonly grounds?: readonly string[];
}
