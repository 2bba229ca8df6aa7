/** What a turn is about, as the worker's environment says. */
import { LegionError } from '../../domain/fault.ts';
import type { Mode, Phase } from '../../domain/mode.ts';
import type { WorkerEnvironment } from '../../protocol/worker-environment.ts';
import { readWorkerEnvironment } from '../../protocol/worker-environment.ts';

export interface Facts {
  readonly issue: string;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly purpose: string;
  readonly attempt: number;
}

export function identify(env: Readonly<Record<string, string | undefined>>): WorkerEnvironment {
  const read = readWorkerEnvironment(env);
  if (!read.ok) throw new LegionError('speech.not_a_worker', read.fault.message);
  return read.value;
}

export function factsOf(environment: WorkerEnvironment): Facts {
  return {
    issue: environment.LEGION_ISSUE,
    mode: environment.LEGION_MODE,
    phase: environment.LEGION_PHASE,
    purpose: environment.LEGION_PURPOSE,
    attempt: environment.LEGION_ATTEMPT,
  };
}
