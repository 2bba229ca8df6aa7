/** The records of an attempt, as they are read back: what was to start, who took it, what runs, how it ended. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import type { AttemptFile } from './attempt-folder.ts';
import { errnoOf } from './faults.ts';

const startSchema = z.object({
  worker: z.string(),
  attempt: z.int().positive(),
  marker: z.string(),
  /** The boot in which it was prepared; attempts of earlier versions have none. */
  bootId: z.string().optional(),
});

const processSchema = z.object({
  pid: z.int().min(2),
  /** The kernel's count of clock ticks from the boot to the start. */
  ticks: z.string().regex(/^\d+$/),
  bootId: z.string(),
  marker: z.string(),
  program: z.string(),
  cwd: z.string(),
});

const exitSchema = z.object({ status: z.int().min(0).max(255) });

export type ProcessRecord = z.infer<typeof processSchema>;

/** What the runner cannot know by itself, as members of a JSON object for it to write down. */
export function processFacts(facts: Omit<ProcessRecord, 'pid' | 'ticks'>): string {
  return JSON.stringify(facts).slice(1, -1);
}

/** Each is undefined where the record is not there yet, or not yet whole. */
export const readStart = (folder: string) => readRecord(folder, 'start.json', startSchema);
export const readProcess = (folder: string) => readRecord(folder, 'process.json', processSchema);
export const readExitStatus = async (folder: string) =>
  (await readRecord(folder, 'exit.json', exitSchema))?.status;

/** The runner that took the attempt; `unreadable` when it was cut short, or is just being written. */
export type Claim = { readonly pid: number; readonly ticks: string } | 'unreadable';

export async function readClaim(folder: string): Promise<Claim | undefined> {
  const text = await readIfThere(join(folder, 'claim'));
  if (text === undefined) return undefined;
  const [, pid, ticks] = /^(\d+) (\d+)\n$/.exec(text) ?? [];
  return pid === undefined || ticks === undefined ? 'unreadable' : { pid: Number(pid), ticks };
}

async function readRecord<T>(
  folder: string,
  name: AttemptFile,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const path = join(folder, name);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const value = parsed(text, path);
  if (value === undefined) return undefined;
  const decoded = decode(schema, value, path);
  if (!decoded.ok) throw new LegionError('host.unavailable', decoded.fault.message);
  return decoded.value;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Either way there is certainly nothing of that name: a file may lie where the folder belongs.
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return undefined;
    throw error;
  }
}

/** Undefined while the blanks that keep its place on the disk are being written over. */
function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.endsWith(' ')) return undefined;
    throw new LegionError('host.unavailable', `${path}: cannot be parsed`, { cause: error });
  }
}
