/** Turns what the file system complains about into the faults of the catalogue. */

import { type FaultCode, LegionError } from '../../core/model/fault.ts';

/** Does `work`; whatever it rejects with arrives as a coded fault that names the place. */
export async function translated<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LegionError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new LegionError(codeOf(error), `${place}: ${message}`, { cause: error });
  }
}

/** What `read` finds; `undefined` where there is certainly nothing. Everything else it rejects with is passed on. */
export async function unlessAbsent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The same for a read that is done at once: for small files a thread of the pool takes ten times as long as the read. */
export function readUnlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): FaultCode {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'workspace.full' : 'workspace.unavailable';
}

/** There is certainly nothing of that name, or a folder where a file is looked for. */
function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
