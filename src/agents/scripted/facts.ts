/** What a turn is about, as the worker's environment says. */
import type { Mode, Phase } from '../../domain/mode.ts';
import type { WorkerEnvironment } from '../../protocol/worker-environment.ts';

export interface Facts {
  readonly issue: string;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly purpose: string;
  readonly attempt: number;
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
