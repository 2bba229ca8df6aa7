/** Which refusals of a message stay, however often it is said again. */
import { type FaultCode, LegionError } from '../../core/model/fault.ts';

/**
 * Faults that lie in the message or its sender, and stay. Every other one lies with us, even where it is terminal: a daemon
 * that is fenced, or whose board is broken, must leave the message to the one after it.
 */
const FOR_GOOD: ReadonlySet<FaultCode> = new Set([
  'input.invalid',
  'id.invalid',
  'tracker.issue_unknown',
  'worker.attempt_over',
  'worker.not_for_mode',
  'worker.not_ready',
  'worker.unknown',
]);

export function isForGood(error: unknown): error is LegionError {
  return error instanceof LegionError && FOR_GOOD.has(error.code);
}
