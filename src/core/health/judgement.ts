/**
 * Types for the verdict on an attempt: the conclusion, its reasons, the next step, and what would
 * change it.
 */

import type { EndCondition } from '../model/action.ts';
import { describeDuration } from '../model/format.ts';
import type { AttemptCondition } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import type { HealthExplanation } from './explanation.ts';
import type { HealthLimits } from './limits.ts';

/** Inputs for checking one attempt once. The pure functions need nothing else. */
export interface HealthContext {
  readonly evidence: HealthEvidence;
  readonly now: number;
  readonly limits: HealthLimits;
}

/**
 * - `healthy`: the attempt is working, or its report is on its way.
 * - `starting`: dispatched, and still within the startup limit.
 * - `waiting`: waiting for a person or for the provider's quota.
 * - `suspicious`: one of the three steps (flag, probe, evaluate) is in progress.
 * - `crashed`: exited or hung, confirmed by several sources.
 * - `never_started`: never began to work.
 * - `lost_message`: reported, but the report changed nothing.
 * - `misplaced`: running without its workspace.
 * - `zombie`: the attempt has ended but its process has not.
 * - `corrupt`: the facts contradict each other.
 * - `ended`: nothing more will happen to this attempt.
 * - `unknown`: too little can be read. Unknown is not dead.
 */
export type HealthVerdict =
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
 * - `leave_alone` does nothing; `flag` raises a suspicion, and `clear` removes it.
 * - `probe_ask` sends a question as a turn; `examine` inspects without prompting.
 * - `confirm_crash` and `replace_once` count a crash and continue with `decideRespawnStep`;
 *   `dispatch` starts an attempt that never began.
 * - `recover_report` continues with `verifyReport`.
 * - `hold_for_quota` records a wait for quota, and `resume_after_quota` ends it.
 * - `remind`, `ask_person`, `report_corruption` and `stop_and_report` notify a person.
 * - `reap_at_cleanup` leaves a zombie to the cleanup.
 */
export type HealthStep =
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

export interface HealthJudgement extends HealthExplanation {
  readonly verdict: HealthVerdict;
  /** Current condition, which selects the limits. */
  readonly state: AttemptCondition;
  readonly next: HealthStep;
  /**
   * Independent sources that indicate death. At least two are required before a running process may
   * be stopped.
   */
  readonly grounds: readonly string[];
}

/**
 * Result of one rule. `judgeHealth` adds the evidence, the state and the time of the next check.
 */
export interface HealthFinding {
  readonly verdict: HealthVerdict;
  readonly next: HealthStep;
  readonly why: string;
  readonly wouldChange: string;
  readonly until: EndCondition['by'];
  readonly lookAgainAt?: number;
  readonly grounds?: readonly string[];
}

type NotifyingStep = Extract<HealthStep, 'ask_person' | 'report_corruption' | 'remind'>;

/**
 * Notifies a person at most once a day, because people ignore frequent repeats. Returns the finding
 * without the notification if a person was notified about this attempt less than a day ago.
 */
export function omitRepeatedNotice(
  { evidence, now, limits }: HealthContext,
  finding: HealthFinding & { next: NotifyingStep },
): HealthFinding {
  const notifiedAt = evidence.personToldAt;
  // An unreadable or future time does not prove that a person was notified.
  if (notifiedAt === 'never' || !(notifiedAt <= now) || now - notifiedAt >= limits.remind) return finding;
  return {
    ...finding,
    next: 'leave_alone',
    why: `${finding.why} A person was notified ${describeDuration(now - notifiedAt)} ago.`,
    lookAgainAt: Math.min(notifiedAt + limits.remind, now + limits.heartbeat),
  };
}
