/** The process of a worker's present attempt, as its host knows it. */

import type { WorkerRecord } from '../../core/state/state.ts';
import type { ProcessIdentity } from '../../hosts/host.ts';

/** Undefined before it was started. */
export function identityOf({ process }: WorkerRecord): ProcessIdentity | undefined {
  if (process === undefined) return undefined;
  const { pid, startTime, marker = '' } = process;
  return { pid, startTime, marker };
}
