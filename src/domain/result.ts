/** The outcome of something that may fail for a reason the caller must see; the pure rooms never throw. */
import type { Fault } from './fault.ts';

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Fault };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function failed(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault };
}
