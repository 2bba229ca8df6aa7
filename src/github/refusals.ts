/** Errors beside data, where they concern more than the item they name. */
import { LegionError } from '../core/model/fault.ts';
import type { Refusal } from './client.ts';

export function refusalFault({ code, message }: Refusal): LegionError {
  return new LegionError(code, `GitHub’s GraphQL: ${message}`);
}

/** What may pass is tried again as a whole: a record must not look broken because GitHub was busy. */
export function throwUnavailable(refusals: readonly Refusal[]): void {
  const passing = refusals.find(({ code }) => code === 'github.unavailable');
  if (passing !== undefined) throw refusalFault(passing);
}
