/** One thing that is wrong in a configuration, where it is, and how several of them become one fault. */
import { type Fault, type FaultCode, fault } from '../core/model/fault.ts';

/** More than this many at once help nobody; the rest are counted. */
const PROBLEMS_SHOWN = 5;

export interface Problem {
  readonly code: FaultCode;
  /** `legion.yaml:3:5`, `LEGION_ID` or `--port`: what to go and change. */
  readonly where: string;
  /** What was found there and what is allowed. */
  readonly says: string;
}

/** Either a value or everything that is wrong, never both. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** A line each, so that editors and terminals find the places; the first problem gives the code. */
export function faultOf(problems: readonly Problem[]): Fault {
  const lines = problems.slice(0, PROBLEMS_SHOWN).map(({ where, says }) => `${where}: ${says}`);
  const hidden = problems.length - lines.length;
  if (hidden > 0) lines.push(`and ${hidden} more`);
  return fault(problems[0]?.code ?? 'config.invalid', lines.join('\n'));
}
