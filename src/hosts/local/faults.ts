/** Converts file system errors into catalogue faults. */
import { LegionError } from '../../core/model/fault.ts';

export function getErrno(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Runs `work` and rethrows any error as a coded fault that mentions the subject. */
export async function withHostFaults<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostFault(subject, error);
  }
}

export function toHostFault(subject: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  return new LegionError('host.unavailable', `${subject}: ${toErrorMessage(error)}`, { cause: error });
}

export function toErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
