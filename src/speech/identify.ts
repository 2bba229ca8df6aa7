/** Who a worker's process is, as its environment says. */

import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { readWorkerEnvironment, type WorkerEnvironment } from '../protocol/worker-environment.ts';

export function identify(env: Environment): WorkerEnvironment {
  const read = readWorkerEnvironment(env);
  if (!read.ok) throw new LegionError('speech.not_a_worker', read.fault.message);
  return read.value;
}
