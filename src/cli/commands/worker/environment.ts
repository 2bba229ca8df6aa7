/** The environment a worker's process was given, or the fault of a command that is run by anybody else. */

import { LegionError } from '../../../core/model/fault.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { WorkerEnvironment } from '../../../protocol/worker-environment.ts';
import { identify } from '../../../speech/identify.ts';

export function ownEnvironment(env: Environment): WorkerEnvironment {
  const { LEGION_WORKER } = env;
  if (LEGION_WORKER === undefined)
    throw new LegionError('speech.not_a_worker', 'there is no LEGION_WORKER in the environment');
  return identify(env);
}
