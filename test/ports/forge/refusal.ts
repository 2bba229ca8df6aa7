/** What a refused call says. */
import { type Fault, LegionError } from '../../../src/core/model/fault.ts';

/** The fault a call ends in; a call that succeeds, or fails without a code, fails the test. */
export async function refusal(call: Promise<unknown>): Promise<Fault & { readonly retryable: boolean }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof LegionError) return { ...error.fault, retryable: error.retryable };
    throw error;
  }
  throw new Error('the call succeeded, but should have been refused');
}
