/** Returns the value of a result or throws its fault. */
import { type Result, toError } from '../core/model/fault.ts';

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw toError(result.fault);
  return result.value;
}
