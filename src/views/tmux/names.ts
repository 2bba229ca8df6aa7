/** How sessions and windows of tmux are called: two legions, or two workers, never share a name. */
import { createHash } from 'node:crypto';
import type { ShownWorker } from '../view.ts';

/** 32 bits: enough to tell the few ids of one board apart that look the same without their marks. */
const HASH_DIGITS = 8;

/** `short`: the legion's short name, or its id where it has none. */
export function sessionName(short: string): string {
  return `legion-${plain(short)}-controller`;
}

export function windowName({ issue, mode }: ShownWorker): string {
  return `${mode}-${plain(issue)}`;
}

/** In a target of tmux `.` and `:` separate, and `#` begins a command; an id that loses something gets a hash of what it was. */
function plain(id: string): string {
  const safe = id.replace(/[^A-Za-z0-9_-]/g, '_');
  if (safe === id) return id;
  return `${safe}-${createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS)}`;
}
