/** Makes decisions: one place gives every one its mode, its evidence and what ends it. */
import { type Action, modeOf } from '../core/model/action.ts';
import type { Signals } from '../core/model/signals.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import { REASONS, type ReasonCode, type StopReason } from '../core/pipeline/reasons.ts';
import type { Decision } from '../domain/decision.ts';
import type { RoundReason } from '../domain/rounds.ts';
import { modeOfStatus } from './situation.ts';

/** A stop takes one of the reasons that have a cause for people. */
type ReasonFor<A extends Action> = A extends StopAction ? StopReason : ReasonCode;
type StopAction = 'add_legion_paused' | 'add_user_input_needed';

/** `facts` are the signals this decision rests on, beside the status. */
export function verdict<A extends Action>(
  signals: Signals,
  action: A,
  reason: ReasonFor<A>,
  ...facts: string[]
): Decision {
  const ofStatus = modeOfStatus(signals);
  const mode = modeOf(action, { ofStatus, ofAsker: signals.askedBy ?? ofStatus });
  facts.unshift(`status=${signals.status}`);
  return { action, mode, reason, evidence: facts, until: REASONS[reason].until };
}

/** A wait for something outside. Past its limit a person is told, while Legion keeps looking. */
export function retry(
  signals: Signals,
  action: 'retry_ci_check' | 'retry_pr_check' | 'retry_quality_gate',
  reason: ReasonCode,
  fact: string,
): Decision {
  return signals.waitedTooLong
    ? verdict(signals, action, 'waited_too_long', `waits_for=${reason}`, fact)
    : verdict(signals, action, reason, fact);
}

/** Goes round once more for `round`, or hands over to a person when that has been done often enough. */
export function goRound(
  signals: Signals,
  policy: Policy,
  round: RoundReason,
  action: Exclude<Action, StopAction>,
  reason: ReasonCode,
  fact: string,
): Decision {
  const made = signals.rounds[round] ?? 0;
  const allowed = policy.rounds[round];
  const tally = `rounds.${round}=${made}/${allowed}`;
  return made < allowed
    ? verdict(signals, action, reason, fact, tally)
    : verdict(signals, 'add_user_input_needed', 'round_limit', fact, tally);
}
