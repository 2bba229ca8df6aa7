/** Whether a process is the one an identity names: by pid, start time and boot, and by its record or its marker. */

import type { ProcStat } from '../../lib/process/proc-table.ts';
import type { ProcessIdentity } from '../host.ts';
import { type ProcessTable, startTimeOf } from './process-table.ts';
import type { Claim, ProcessRecord } from './records.ts';

export type Match =
  | { readonly is: 'ours'; readonly stat: ProcStat }
  | { readonly is: 'gone' }
  | { readonly is: 'other' }
  | { readonly is: 'unavailable'; readonly why: string };

/**
 * `record` is what the runner wrote down for this marker. It vouches for a process that has not executed anything yet, or
 * has wiped its environment; every other process has to carry the marker.
 */
export function matchIdentity(
  table: ProcessTable,
  identity: ProcessIdentity,
  record: ProcessRecord | undefined,
): Match {
  const stat = table.look(identity.pid);
  if (stat === 'gone') return { is: 'gone' };
  if ('unavailable' in stat) return { is: 'unavailable', why: stat.unavailable };
  if (startTimeOf(table.bootId, stat.ticks) !== identity.startTime) return { is: 'other' };
  if (record !== undefined && isRecorded(identity, record)) return { is: 'ours', stat };
  const marker = table.markerOf(identity.pid);
  if (typeof marker === 'object') return { is: 'unavailable', why: marker.unavailable };
  return marker === identity.marker ? { is: 'ours', stat } : { is: 'other' };
}

/** Certainly not the process, whatever record and marker say; undefined where it may be. */
export function matchByStart(table: ProcessTable, { pid, startTime }: ProcessIdentity): Match | undefined {
  const stat = table.look(pid);
  if (stat === 'gone') return { is: 'gone' };
  if ('unavailable' in stat) return undefined;
  return startTimeOf(table.bootId, stat.ticks) === startTime ? undefined : { is: 'other' };
}

export function identityOf({ pid, ticks, bootId, marker }: ProcessRecord): ProcessIdentity {
  return { pid, startTime: startTimeOf(bootId, ticks), marker };
}

/** Whether the runner that made this claim is still there. */
export function isRunnerThere(table: ProcessTable, claim: Claim): boolean | 'unknown' {
  if (claim === 'unreadable') return 'unknown';
  const stat = table.look(claim.pid);
  if (stat === 'gone') return false;
  return 'unavailable' in stat ? 'unknown' : stat.ticks === claim.ticks;
}

function isRecorded(identity: ProcessIdentity, record: ProcessRecord): boolean {
  const recorded = identityOf(record);
  return (
    recorded.pid === identity.pid &&
    recorded.startTime === identity.startTime &&
    recorded.marker === identity.marker
  );
}
