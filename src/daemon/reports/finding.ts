/** One thing that was looked for as a proof, and what to do where it is not there. */
import type { Fact } from '../../core/health/verify-report.ts';

export type Finding =
  | { readonly fact: Exclude<Fact, 'no'> }
  /** `missing` tells the worker in one sentence what to do. */
  | { readonly fact: 'no'; readonly missing: string };

export const YES: Finding = { fact: 'yes' };
export const UNKNOWN: Finding = { fact: 'unknown' };

export function no(missing: string): Finding {
  return { fact: 'no', missing };
}

export function yesIf(holds: boolean, missing: string): Finding {
  return holds ? YES : no(missing);
}

/** All of them together: one "no" is certain, whatever could not be read. */
export function all(...findings: readonly Finding[]): Finding {
  const refuted = findings.filter((finding) => finding.fact === 'no');
  if (refuted.length > 0) return no(refuted.map(({ missing }) => missing).join(' '));
  return findings.some(({ fact }) => fact === 'unknown') ? UNKNOWN : YES;
}
