/** Everything `decide` may look at for one issue: facts from outside, already reduced to finite values. */
import type { BoundVerdict } from '../../domain/evidence.ts';
import type { LifecycleState } from '../../domain/lifecycle.ts';
import type { Mode } from '../../domain/mode.ts';
import type { Rounds } from '../../domain/rounds.ts';
import type { IssueId } from './ids.ts';
import type { CiStatus, Mergeable, ReviewVerdict } from './pull-request.ts';
import type { SeenStatus } from './status.ts';

/** `none` and `unknown` are different answers: only the first was read. */
export type PullRequestSignals = 'none' | 'unknown' | OpenOrMerged;

export interface OpenOrMerged {
  readonly state: 'open' | 'merged';
  readonly draft: boolean;
  readonly headSha: string;
  /** The verdict that counts at this head. */
  readonly review: ReviewVerdict;
  readonly ci: CiStatus;
  readonly mergeable: Mergeable;
  readonly namesIssue: boolean;
}

/** Proofs as they count at the present head. */
interface BoundEvidence {
  readonly test: BoundVerdict;
  readonly qualityGate: BoundVerdict;
  readonly retro: BoundVerdict;
}

/** The state of the latest attempt in each mode. A mode that was never dispatched is absent. */
type WorkersByMode = Readonly<Partial<Record<Mode, LifecycleState>>>;

/** Sub-issues an architect made of this one. */
export type Children = 'none' | 'open' | 'all_done';

/** Where triage would send the issue. */
export type Route = 'Todo' | 'Backlog' | 'Icebox';

/** Whether an Icebox issue may leave now: triage put it there, and it has become clear, has a free place, and its turn. */
export type IceboxTurn = 'parked' | 'unclarified' | 'no_capacity' | 'not_its_turn' | 'due';

export interface Signals {
  readonly issue: IssueId;
  readonly status: SeenStatus;
  /** Effective labels: the tracker's, plus what the journal knows and has not written yet. */
  readonly labels: ReadonlySet<string>;
  readonly blockers: readonly IssueId[];
  /** Problems of the issue's own record that keep workers from starting on it. */
  readonly heldBy?: readonly string[] | undefined;
  readonly children: Children;
  readonly pullRequest: PullRequestSignals;
  /** Where the pull request that reverts its last merge stands; absent without one that may still be open. */
  readonly revert?: RevertSignal | undefined;
  /** A person's hold of the whole legion. */
  readonly held?: LegionHold | undefined;
  readonly workers: WorkersByMode;
  readonly evidence: BoundEvidence;
  readonly rounds: Rounds;
  /** The present wait of a `retry_` has lasted beyond its limit. */
  readonly waitedTooLong: boolean;
  /** Whose open question the person was asked; absent where the engine itself asked. */
  readonly askedBy?: Mode;
  /** Who sent the work back and still waits for somebody to act on it. */
  readonly sentBack?: Mode | undefined;
  readonly route: Route;
  readonly icebox: IceboxTurn;
  readonly autoMerge: AutoMergeVerdict;
  /** What in people's own checkouts of the base stands in the way of the merge; looked for in Retro only. */
  readonly checkouts?: readonly string[] | undefined;
  /** The scripted agent has worked on it, in any mode and attempt. */
  readonly scriptedWork: boolean;
}

/** `closed`: without being merged. */
export type RevertSignal = 'open' | 'merged' | 'closed' | 'unknown';

/** The auto-merge gate's answer, worked out only for issues in Retro. */
export type AutoMergeVerdict = 'pass' | 'fail' | 'not_allowed' | 'unknown';

export interface LegionHold {
  readonly kind: 'pause' | 'halt';
  readonly by: string;
  readonly why: string;
}
