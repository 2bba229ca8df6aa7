/**
 * Interface from the services to the loop. An operator's request reaches a worker process only
 * through it.
 */

import type { HealthJudgement } from '../../core/health/judgement.ts';
import type { SpawnPurpose } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import type { IssueId, WorkerId } from '../../core/model/ids.ts';
import type { Mode } from '../../core/model/mode.ts';
import type { HaltOrder } from '../../core/state/halt.ts';
import type { IssuePlan } from '../../core/state/issue-plan.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { RemovalResult } from '../../ports/workspace.ts';
import type { UndecidedWorker, WorkerActivity } from '../context/worker-activity.ts';

export interface LoopControl {
  /** Reconciles one issue now and runs due commands, even if auto_advance is off. */
  advance(issue: IssueId): Promise<IssuePlan>;
  /** Reconciles one issue now, like a wake-up. */
  reconcile(issue: IssueId): Promise<void>;
  /** Returns the plan that would be carried out now, without changing anything. */
  preview(issue: IssueId): Promise<IssuePlan>;
  /**
   * Opens the intent, claims the attempt and starts the worker. Rejects if it cannot be started.
   */
  start(order: StartOrder): Promise<void>;
  /**
   * Begins the stop ladder. `alongside` is written in the same append as the end of the attempt.
   */
  stop(
    worker: WorkerId,
    why: string,
    alongside?: (state: LegionState) => readonly EventBody[],
  ): Promise<void>;
  /** Halts the whole legion and stops every worker. */
  halt(order: HaltOrder): Promise<HaltResult>;
  /** Removes the workspace if nothing would be lost. */
  cleanWorkspace(issue: IssueId): Promise<RemovalResult>;
  judgeHealth(worker: WorkerId): Promise<HealthJudgement>;
  /** Workers that need a person's decision. */
  listUndecided(): readonly UndecidedWorker[];
  /** Returns the workers' latest activity as reported by their agents, from memory. */
  listActivities(): ReadonlyMap<WorkerId, WorkerActivity>;
}

export interface StartOrder {
  readonly issue: IssueId;
  readonly mode: Mode;
  readonly purpose: SpawnPurpose;
  readonly version: number;
  /** Operator's message, sent in addition to the prompt. */
  readonly note?: string;
  readonly env?: Record<string, string>;
}

export interface HaltResult {
  /** The halt that was already in force. Absent if the legion was not halted before. */
  readonly before?: { readonly by: string; readonly since: number } | undefined;
  readonly stopped: readonly WorkerId[];
  /** Merge workers that are still merging. They are stopped once their merge has completed. */
  readonly merging: readonly WorkerId[];
  /** Resolves when every stop ladder has ended. Never rejects. */
  readonly settled: Promise<void>;
}
