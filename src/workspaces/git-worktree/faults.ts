/** Converts file system errors into catalogue faults. */

import { type FaultCode, LegionError } from '../../core/model/fault.ts';

/** Runs `work` and rethrows any error as a coded fault that names the subject. */
export async function withWorkspaceFaults<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LegionError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new LegionError(toFaultCode(error), `${subject}: ${message}`, { cause: error });
  }
}

/**
 * Resolves to the result of `read`, or `undefined` if the file is known not to exist. Rejects with
 * any other error.
 */
export async function readIfPresent<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Like `readIfPresent`, but for a synchronous read: for small files the thread pool takes ten times
 * as long as the read.
 */
export function readIfPresentSync<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function toFaultCode(error: unknown): FaultCode {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'workspace.full' : 'workspace.unavailable';
}

/** Returns true if the name is known not to exist, or if it is a directory instead of a file. */
function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
