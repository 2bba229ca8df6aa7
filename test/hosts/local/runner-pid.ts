/** Reads the pid that an attempt's runner recorded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function folderOf(state: string, worker: string, attempt: number): string {
  return join(state, 'attempts', worker, String(attempt));
}

export function runnerPid(state: string, worker = 'a-1-implement', attempt = 1): number {
  return Number.parseInt(readFileSync(join(folderOf(state, worker, attempt), 'claim'), 'utf8'), 10);
}
