/** Converts file system errors into faults of the catalogue. */
import { type Fault, LegionError } from '../../core/model/fault.ts';

/** Runs `work` and rethrows its error as a coded fault that mentions the subject. */
export async function withForgeFaults<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUnavailableFault(subject, error);
  }
}

export function toUnavailableFault(subject: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('forge.unavailable', `${subject}: ${why}`, { cause: error });
}

/** Reports each skipped problem once, because repeating it at every poll would bury the others. */
export function createFaultReporter(
  subject: string,
  onFault: ((fault: Fault) => void) | undefined,
): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const { fault } = error instanceof LegionError ? error : toUnavailableFault(subject, error);
    if (reported.has(fault.message)) return;
    reported.add(fault.message);
    onFault?.(fault);
  };
}
