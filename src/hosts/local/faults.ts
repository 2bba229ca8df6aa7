/** Turns what the file system complains about into the faults of the catalogue. */
import { LegionError } from '../../core/model/fault.ts';

export function errnoOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Does `work`; whatever it throws arrives as a coded fault that names the place. */
export async function translated<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toFault(place, error);
  }
}

export function toFault(place: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  return new LegionError('host.unavailable', `${place}: ${messageOf(error)}`, { cause: error });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
