/** How an attempt ended, from what its runner wrote down, or why nobody can tell. */
import { open, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Observed, ProcessExit } from '../host.ts';
import { isRunnerThere } from './identity.ts';
import type { ProcessTable } from './process-table.ts';
import { readClaim, readExitStatus } from './records.ts';

/** A shell gives 128 + n for a process that was ended by signal n. */
const SIGNAL_BASE = 128;

/** By a shell and by `setsid`: found but not executable, not found. */
const NOT_EXECUTED: readonly number[] = [126, 127];

/** Enough of the complaint to read. */
const REASON_BYTES = 500;

const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

export async function exitOf(
  table: ProcessTable,
  folder: string,
  isGone: boolean,
): Promise<Observed<ProcessExit | 'none'>> {
  const status = await readExitStatus(folder);
  if (status !== undefined) return exitWith(status, folder);
  if (!isGone) return 'none';
  const claim = await readClaim(folder);
  if (claim !== undefined && isRunnerThere(table, claim) === true) return 'none';
  // Once more: the runner may have written it and ended between the two looks.
  const late = await readExitStatus(folder);
  if (late !== undefined) return exitWith(late, folder);
  return { unavailable: 'its runner ended before it, so nobody wrote its exit status down' };
}

async function exitWith(status: number, folder: string): Promise<ProcessExit> {
  const { mtimeMs: at } = await stat(join(folder, 'exit.json'));
  const signal = SIGNAL_NAMES.get(status - SIGNAL_BASE);
  if (signal !== undefined) return { code: null, signal, at };
  if (!NOT_EXECUTED.includes(status)) return { code: status, signal: null, at };
  return { code: status, signal: null, at, reason: await complaint(join(folder, 'err'), status) };
}

async function complaint(path: string, status: number): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(REASON_BYTES) });
    const text = buffer.toString('utf8', 0, bytesRead).trim();
    return text === '' ? `the program could not be executed (exit ${status})` : text;
  } finally {
    await file.close();
  }
}
