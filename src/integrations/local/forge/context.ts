/** Dependencies shared by all operations of the local forge, and the interface of its CI runner. */
import type { Clock } from '../../../core/model/clock.ts';
import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { CommitComparison, GitRepository } from '../../forge-support/repository.ts';
import type { PullRequestRecords } from './records.ts';

export interface LocalForgeContext {
  readonly repository: GitRepository;
  readonly records: PullRequestRecords;
  readonly comparison: CommitComparison;
  readonly ci: CiRunner;
  readonly clock: Clock;
  /** Reports a problem that was skipped so that the rest of the work could continue. */
  readonly reportProblem: (error: unknown) => void;
  /** The commit identity as git's environment variables. */
  readonly identity: Readonly<Record<string, string>>;
}

/** A stored outcome with the time at which the CI run ended. */
export interface CiResult extends CiOutcome {
  readonly at: number;
  /** Number of consecutive runs that ended with `could_not_run`. */
  readonly runs?: number | undefined;
}

export interface CiRunner {
  /** Returns the status of this commit, and starts CI if there is no result. */
  status(branch: string, sha: string): Promise<CiStatus>;
  /** Returns the stored result without starting anything. */
  known(sha: string): Promise<CiResult | undefined>;
  /** Returns whether CI for this commit is running or queued. */
  isPending(sha: string): boolean;
  start(branch: string, sha: string): void;
  /** Aborts running CI and waits until it ends, but no longer than the grace period. */
  close(): Promise<void>;
}

/**
 * `could_not_run`: the command was missing, timed out or was killed, which is not a verdict on the
 * code.
 */
export interface CiOutcome {
  readonly verdict: 'passed' | 'failed' | 'could_not_run';
  readonly name: string;
  readonly logTail: string;
  /** True if the run was aborted because it exceeded its time limit. */
  readonly timedOut?: boolean | undefined;
}
