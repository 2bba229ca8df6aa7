/** Finds the gits that run on this machine and may write. */
import {
  hasEnded,
  hasPid,
  listPids,
  readLink,
  readProcFile,
  readStat,
} from '../../lib/process/proc-table.ts';

/**
 * Each by pid and start; undefined without a proc file system. With `about` only those that could work in one of these
 * folders.
 */
export function runningGits(about?: readonly string[]): ReadonlySet<string> | undefined {
  if (readStat(process.pid) === undefined) return undefined;
  const gits = listPids().flatMap((pid) => {
    if (readProcFile(pid, 'comm')?.startsWith('git') !== true) return [];
    const stat = readStat(pid);
    if (stat === undefined || hasEnded(stat) || onlyReads(pid)) return [];
    if (about !== undefined && !about.some((folder) => mayConcern(pid, folder))) return [];
    return [`${pid} ${stat.ticks}`];
  });
  return new Set(gits);
}

/** A git works where it stands, or where its arguments or its environment say; one that may not be read could do anything. */
function mayConcern(pid: number, folder: string): boolean {
  const told = [readProcFile(pid, 'cmdline'), readProcFile(pid, 'environ')];
  const cwd = readLink(`/proc/${pid}/cwd`);
  if (cwd === undefined) return hasPid(pid);
  if (`${cwd}/`.startsWith(`${folder}/`)) return true;
  return told.some((text) => text === undefined || text.includes(folder));
}

/** A forge keeps such a git for its questions as long as it is open; it locks no reference. */
function onlyReads(pid: number): boolean {
  const words = readProcFile(pid, 'cmdline')?.split('\0') ?? [];
  return words.includes('cat-file') && words.some((word) => word.startsWith('--batch-check'));
}
