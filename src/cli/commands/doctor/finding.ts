/** One thing that was looked at: whether it is well, and what to do where it is not. */
import { LegionError } from '../../../core/model/fault.ts';

export interface Finding {
  readonly what: string;
  /** `warn`: works, but somebody should know. `bad`: Legion will not work like this. */
  readonly verdict: 'ok' | 'warn' | 'bad';
  readonly says: string;
  readonly next?: string;
}

export function ok(what: string, says: string): Finding {
  return { what, verdict: 'ok', says };
}

export function warn(what: string, says: string, next: string): Finding {
  return { what, verdict: 'warn', says, next };
}

export function bad(what: string, says: string, next: string): Finding {
  return { what, verdict: 'bad', says, next };
}

/** What a coded error says; anything else is a defect and stays one. */
export function fromError(what: string, error: unknown): Finding {
  if (!(error instanceof LegionError)) throw error;
  return bad(what, `${error.message} [${error.code}]`, error.fault.next);
}
