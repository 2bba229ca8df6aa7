/**
 * Facts about workers that are not in the journal: their last activity, and which workers need a
 * person's decision.
 */
import type { WorkerId } from '../../core/model/ids.ts';

export interface UndecidedWorker {
  readonly worker: WorkerId;
  readonly why: string;
  readonly since: number;
}

export interface WorkerActivity {
  readonly what: string;
  readonly at: number;
}
