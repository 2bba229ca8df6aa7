/** All inputs of `decide` for one issue: external facts, reduced to finite values. */

import type { BoundVerdict } from './evidence.ts';
import type { IssueId } from './ids.ts';
import type { RejectionSubject } from './issue.ts';
import type { LifecycleState } from './lifecycle.ts';
import type { Mode, RoundCounts } from './mode.ts';
import type { CiStatus, MergeableStatus, ReviewVerdict } from './pull-request.ts';
import type { ObservedStatus } from './status.ts';

/** `none` means that the forge has no pull request; `unknown` means that it could not be read. */
export type PullRequestSignals = 'none' | 'unknown' | KnownPullRequestSignals;

export interface KnownPullRequestSignals {
  readonly state: 'open' | 'merged';
  readonly draft: boolean;
  readonly headSha: string;
  /** The review verdict at this head. */
  readonly review: ReviewVerdict;
  readonly ci: CiStatus;
  readonly mergeable: MergeableStatus;
  readonly namesIssue: boolean;
}

/** Verdicts of the evidence at the current head. */
interface BoundEvidence {
  readonly test: BoundVerdict;
  readonly qualityGate: BoundVerdict;
  readonly retro: BoundVerdict;
}

/** The state of the latest attempt in each mode. Modes that were never dispatched are absent. */
type WorkersByMode = Readonly<Partial<Record<Mode, LifecycleState>>>;

/** Sub-issues that an architect created from this issue. */
export type ChildrenStatus = 'none' | 'open' | 'all_done';

/** The status to which triage sends the issue. */
export type TriageRoute = 'Todo' | 'Backlog' | 'Icebox';

/**
 * Whether an issue may leave the Icebox now. It may if triage put it there, its text has become
 * clear, a slot is free, and the issue is next in line.
 */
export type IceboxTurn = 'parked' | 'unclarified' | 'no_capacity' | 'not_its_turn' | 'due';

export interface IssueSignals {
  readonly issue: IssueId;
  readonly status: ObservedStatus;
  /** Effective labels: the tracker's, plus those in the journal that are not written yet. */
  readonly labels: ReadonlySet<string>;
  readonly blockers: readonly IssueId[];
  /** Problems in the issue's own record that keep workers from starting on it. */
  readonly heldBy?: readonly string[] | undefined;
  readonly children: ChildrenStatus;
  readonly pullRequest: PullRequestSignals;
  /**
   * State of the pull request that reverts the last merge. Absent if no revert can still be open.
   */
  readonly revert?: RevertSignal | undefined;
  /** A person's hold on the whole legion. */
  readonly held?: LegionHold | undefined;
  readonly workers: WorkersByMode;
  readonly evidence: BoundEvidence;
  readonly rounds: RoundCounts;
  /** True if the current wait of a `retry_` action has exceeded its limit. */
  readonly waitedTooLong: boolean;
  /** The mode of the worker that asked a person. Absent if the engine itself asked. */
  readonly askedBy?: Mode;
  /** The mode that sent the work back, until a worker is dispatched to act on it. */
  readonly sentBack?: Mode | undefined;
  /** Set if Legion could not read whether the recorded approval still covers the head. */
  readonly approval?: 'unknown' | undefined;
  /** The result that a person rejected, until a worker is dispatched to change it. */
  readonly rejected?: RejectionSubject | undefined;
  readonly route: TriageRoute;
  readonly icebox: IceboxTurn;
  readonly autoMerge: AutoMergeVerdict;
  /** Obstacles to the merge in people's own checkouts of the base. Checked in Retro only. */
  readonly checkouts?: readonly string[] | undefined;
  /** True if the scripted agent has worked on the issue, in any mode and attempt. */
  readonly scriptedWork: boolean;
}

/** `closed` means closed without being merged. */
export type RevertSignal = 'open' | 'merged' | 'closed' | 'unknown';

/** The auto-merge gate's verdict. Computed only for issues in Retro. */
export type AutoMergeVerdict = 'pass' | 'fail' | 'not_allowed' | 'unknown';

export interface LegionHold {
  readonly kind: 'pause' | 'halt';
  readonly by: string;
  readonly why: string;
}
