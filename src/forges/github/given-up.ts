/** A read that nobody waits for any more ends with a fault like every other failure. */
import { LegionError } from '../../domain/fault.ts';

export async function givenUp<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await read();
  } catch (error) {
    if (error instanceof LegionError || !signal.aborted) throw error;
    throw new LegionError('forge.unavailable', 'the read was given up before its end', { cause: error });
  }
}
