/** Turns what the file system complains about into the faults of the catalogue. */
import { LegionError } from '../core/model/fault.ts';

/** Does `work`; whatever it rejects with arrives as a coded fault that names the place. */
export async function translated<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(place, error);
  }
}

export function unavailable(place: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('forge.unavailable', `${place}: ${why}`, { cause: error });
}
