/** What one question about an account's rights has found. */
import type { LegionError } from '../core/model/fault.ts';

export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly why: string;
  /** What to do about it; undefined where nothing is to be done. */
  readonly next: string | undefined;
  /** Legion works without it, only less well. */
  readonly optional?: true;
  /** Why the question could not be answered. */
  readonly fault?: LegionError;
}

export function passed(what: string, why: string): Finding {
  return { what, ok: true, why, next: undefined };
}

export function lacking(what: string, why: string, next: string): Finding {
  return { what, ok: false, why, next };
}
