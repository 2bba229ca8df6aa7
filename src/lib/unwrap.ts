/** The value of a result, for a caller that rejects with its fault. */
import { toError } from '../domain/fault.ts';
import type { Result } from '../domain/result.ts';

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw toError(result.fault);
  return result.value;
}
