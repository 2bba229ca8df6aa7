/**
 * Daemon context: everything that the loop, the commands and the services use, with the interfaces
 * of its parts. The composition root creates it once.
 */

import type { BudgetSettings, LocalDay } from '../../core/health/budget.ts';
import type { HealthLimits } from '../../core/health/limits.ts';
import type { AgentChoice, AvailableAgents } from '../../core/model/agent-choice.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { IssueId, WorkerId } from '../../core/model/ids.ts';
import type { Mode } from '../../core/model/mode.ts';
import type { ColumnNames } from '../../core/model/status.ts';
import type { WorkerCapacity } from '../../core/pipeline/order.ts';
import type { PipelinePolicy } from '../../core/pipeline/policy.ts';
import type { StartRefusal } from '../../core/pipeline/reasons.ts';
import type { CommentSettings } from '../../core/state/comments/phase-comments.ts';
import type { PreflightProblem } from '../../core/state/preflight.ts';
import type { Agent, ModelUse } from '../../ports/agent.ts';
import type { LocalBoard } from '../../ports/board-editor.ts';
import type { Host } from '../../ports/host.ts';
import type { Tracker } from '../../ports/tracker.ts';
import type { WorkspaceStatus, Workspaces } from '../../ports/workspace.ts';
import type { ActiveMerges } from './active-merges.ts';
import type { ActiveProblems } from './active-problems.ts';
import type { BoardView } from './board-view.ts';
import type { Ledger } from './ledger.ts';
import type { Repositories } from './repository.ts';
import type { WorkerTokens } from './worker-tokens.ts';

/** Part of the context with the legion's state and settings, in memory and in the journal. */
export interface StateContext {
  readonly legionId: string;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly boardView: BoardView;
  readonly problems: ActiveProblems;
  readonly merges: ActiveMerges;
  readonly settings: () => DaemonSettings;
  /** Agents per mode and their readiness. */
  readonly agents: AvailableAgents;
  /** The operator's rules combined with those of the issue's repository. */
  readonly policyOf: (issue: IssueId) => PipelinePolicy;
  /** Returns the local day of a timestamp. Absent if days are not counted. */
  readonly dayOf?: ((at: number) => LocalDay) | undefined;
  /**
   * Requests an immediate reconcile pass over one issue, or over the whole board if none is given.
   * Never waits and may be called from anywhere.
   */
  readonly wake: (issue?: IssueId) => void;
}

/** Part of the context that reaches outside: the tracker, the repositories and the host. */
export interface PortContext {
  readonly tracker: Tracker;
  /** The local tracker, whose issues can be edited here. Undefined for an external tracker. */
  readonly board: LocalBoard | undefined;
  /** Repositories that hold the issues' code. */
  readonly repositories: Repositories;
  readonly workspaces: Workspaces;
  readonly host: Host;
  readonly gates: QualityGates;
  /** Checks that block all starts while a problem exists that would stop every issue. */
  readonly preflight: Preflight;
}

/** Part of the context that concerns workers: their environment, files and messages. */
export interface WorkerContext {
  /**
   * Returns the worker's agent. Falls back to the configured agent if an older version wrote the
   * record without one.
   */
  readonly agentOf: (worker: AgentAssignment) => { readonly agent: Agent; readonly use: ModelUse };
  /** Blocks starts with this agent until its login is accepted again. */
  readonly recordRefusedLogin: (choice: AgentChoice, message: string) => void;
  /**
   * Returns a worker's variables: the path to `legion`, its commit identity, its agent's
   * credentials and what the operator allows.
   */
  readonly environmentFor: (worker: AgentAssignment) => Promise<Readonly<Record<string, string>>>;
  readonly tokens: WorkerTokens;
  readonly folders: LegionFolders;
  /** Returns whether an attempt's outbox contains any message. */
  readonly hasPendingMessages: (worker: WorkerId, attempt: number) => Promise<boolean>;
  /** Looks in an attempt's outbox for a report. */
  readonly findPendingReport: (worker: WorkerId, attempt: number) => Promise<PendingReport>;
}

/**
 * The whole context. A function declares only the parts that it and the functions it calls need.
 */
export interface DaemonContext extends StateContext, PortContext, WorkerContext {}

/** A worker's record, or the command to start a worker. */
export interface AgentAssignment {
  readonly mode: Mode;
  readonly issue?: IssueId | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/** An attempt's report that has not been imported yet. */
export type PendingReport =
  | 'none'
  /** The outbox could not be read. */
  | 'unavailable'
  | { readonly where: 'outbox' | 'done_flag'; readonly outcome: 'done' | 'error'; readonly since: number };

/** Paths of the legion's files that other processes also use. */
export interface LegionFolders {
  readonly state: string;
  /**
   * Unix socket on which commands and workers reach the daemon. The same for every daemon of this
   * legion.
   */
  readonly socket: string;
  readonly outbox: (worker: WorkerId, attempt: number) => string;
}

/**
 * The loop's settings from the operator's configuration, as plain values. A reload replaces them.
 */
export interface DaemonSettings {
  readonly autoAdvance: boolean;
  readonly columns: ColumnNames;
  readonly slots: WorkerCapacity;
  /** Minimum time between two starts, in ms. */
  readonly staggerMs: number;
  /**
   * How long a check that has to be retried (a `retry_` decision) may stay undecided before a
   * person is notified, in ms.
   */
  readonly checkWaitMs: number;
  /** Which outputs of phases are posted as comments. */
  readonly comments: CommentSettings;
  readonly health: Partial<HealthLimits>;
  readonly budgets: BudgetSettings;
  readonly polling: PollingSettings;
  /** Free disk and memory that the host needs for one more worker, in bytes. */
  readonly requiredResources: { readonly diskBytes: number; readonly memoryBytes: number };
}

interface PollingSettings {
  readonly normalMs: number;
  /**
   * Slower polling while nothing changes. `ms` is the poll interval after `unchanged` consecutive
   * polls without a change.
   */
  readonly holding: readonly { readonly unchanged: number; readonly ms: number }[];
}

/** Result of a gate run. It is not recorded if the workspace is not at the requested commit. */
export type GateResult =
  | {
      readonly recorded: true;
      readonly detail: string;
      /** State of the workspace after the run. */
      readonly workspaceStatus: WorkspaceStatus;
    }
  | { readonly recorded: false; readonly detail: string };

export interface GateRun {
  /** Whether this call started the run. If false, the call attached to a run in progress. */
  readonly isNew: boolean;
  /**
   * Resolves when the result is in the journal. Rejects with `daemon.stopping` if the daemon stops
   * first.
   */
  readonly ended: Promise<GateResult>;
}

/**
 * Runs quality gates. If the daemon stops during a run, the run ends and nothing is recorded, so
 * the next daemon runs the gate again.
 */
export interface QualityGates {
  /**
   * `known` is the workspace's state if the caller has just read it. If absent, the run reads it.
   */
  run(issue: IssueId, sha: string, known?: WorkspaceStatus): GateRun;
  isRunning(issue: IssueId, sha: string): boolean;
  /** Returns the time at which the oldest running gate of this issue began. */
  runningSince(issue: IssueId): number | undefined;
  /** Aborts running gates. None can be started afterwards. */
  close(): Promise<void>;
}

export interface PreflightNotice {
  readonly message: string;
  readonly next: string;
}

interface StartHolds {
  /** Returns the reason why no worker of this issue may start. Undefined if nothing blocks it. */
  readonly on: (issue: IssueId) => StartRefusal | undefined;
  /** Whether every repository is blocked. */
  readonly isOnEverything: boolean;
}

export interface Preflight {
  /** Returns what currently blocks worker starts. */
  holds(): StartHolds;
  problems(): readonly PreflightProblem[];
  notices(): readonly PreflightNotice[];
  /**
   * Returns the baselines that are currently running. Undefined until the first check has
   * completed.
   */
  running(): readonly { readonly repo: string; readonly command: string }[] | undefined;
  /**
   * After the first check, lets workers start even though a baseline has failed or is pending.
   * Applies to all repositories. Resolves to the names of the repositories without a passing
   * result.
   */
  ignoreBaselines(by: string): Promise<readonly string[]>;
  rerunBaselines(): void;
}
