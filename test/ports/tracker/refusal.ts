/** Returns the fault of a rejected call. */
import { type Fault, LegionError } from '../../../src/core/model/fault.ts';

/**
 * Returns the fault of a rejected call. Fails the test if the call succeeds, or if its error has no
 * code.
 */
export async function refusal(call: Promise<unknown>): Promise<Fault> {
  try {
    await call;
  } catch (error) {
    if (error instanceof LegionError) return error.fault;
    throw error;
  }
  throw new Error('the call succeeded, but should have been rejected');
}
