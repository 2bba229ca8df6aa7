/** The marker in a process's environment: which legion, worker and attempt it belongs to, whatever became of its parents. */
import { randomBytes } from 'node:crypto';
import type { WorkerId } from '../../core/model/ids.ts';

/** Random bytes of a marker: nobody can pass for an attempt whose marker they have not read. */
const RANDOM_BYTES = 12;

export interface Marked {
  readonly legion: string;
  readonly worker: WorkerId;
  readonly attempt: number;
}

/** Plain ASCII without quotes or blanks, because the ids are; the runner writes it into JSON as it is. */
export function newMarker({ legion, worker, attempt }: Marked): string {
  return `${legion}/${worker}/${attempt}/${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** A legion id may contain a slash, the other parts may not: read from the end. */
export function readMarker(marker: string): Marked | undefined {
  const parts = /^(.+)\/([^/]+)\/([1-9]\d{0,14})\/[0-9a-f]+$/.exec(marker);
  if (parts === null) return undefined;
  const [, legion = '', worker = '', attempt = ''] = parts;
  return { legion, worker, attempt: Number(attempt) };
}
