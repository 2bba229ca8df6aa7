/** Whether what a failed write was to bring about may be there all the same. */
import { LegionError } from '../core/model/fault.ts';

/** No answer says whether; and a refusal may be because somebody else was faster. */
export function mayHaveHappened(error: unknown): boolean {
  return error instanceof LegionError && ['github.unavailable', 'github.refused'].includes(error.code);
}
