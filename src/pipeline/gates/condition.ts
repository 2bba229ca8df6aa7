/** One condition of a gate: shown to people as a checklist, and read by the engine. */

export type ConditionVerdict = 'pass' | 'fail' | 'unknown';

export interface Condition<Name extends string = string> {
  readonly name: Name;
  readonly verdict: ConditionVerdict;
  readonly evidence: string;
}

export function condition<Name extends string>(
  name: Name,
  verdict: ConditionVerdict | boolean,
  evidence: string,
): Condition<Name> {
  return { name, verdict: verdict === true ? 'pass' : verdict === false ? 'fail' : verdict, evidence };
}

/** A gate is no better than its worst condition; "unknown" is worse than "pass" and better than "fail". */
export function gateVerdict(conditions: readonly Condition[]): ConditionVerdict {
  if (conditions.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return conditions.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'pass';
}
