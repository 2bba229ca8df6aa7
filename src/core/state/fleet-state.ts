/**
 * Types for the state of the whole fleet (its kills, and why no worker may start) and for the
 * merges of an issue.
 */

import type { IssueId } from '../model/ids.ts';
import type { KillRecord, TracesAfterKill } from '../model/lifecycle.ts';
import type { Mode } from '../model/mode.ts';

/**
 * Kills, each judged later by the activity found after it. The counts of correct and wrong kills
 * are both reported.
 */
export interface KillStatistics {
  readonly last: number;
  readonly right: number;
  readonly wrong: number;
  readonly unjudged: readonly UnjudgedKill[];
}

export interface UnjudgedKill extends KillRecord {
  readonly kill: number;
  readonly issue: IssueId;
  readonly mode: Mode;
  /** Activity of the attempt found right after the kill. */
  readonly changeAt: TracesAfterKill['changeAt'];
  readonly agentEventAt: TracesAfterKill['agentEventAt'];
}

/**
 * Reason why no worker starts: many crashes at once, a person's pause, or a halt, which also stops
 * every worker.
 */
export interface GlobalHold {
  readonly kind: 'deaths' | 'pause' | 'halt';
  readonly since: number;
  readonly why: string;
  /** Person who set the hold. Absent after crashes. */
  readonly by?: string | undefined;
}

export interface BreakerRecord {
  readonly serial: number;
  readonly open?: GlobalHold;
}

interface RecordedCondition {
  readonly name: string;
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly evidence: string;
}

/** All merge conditions as checked right before the merge. */
export interface RecordedGate {
  readonly preMerge: readonly RecordedCondition[];
  readonly autoMerge?:
    | { readonly allowed: boolean; readonly conditions: readonly RecordedCondition[] }
    | undefined;
}

export interface BegunMerge extends RecordedGate {
  readonly begin: number;
  readonly pullRequest: number;
  readonly headSha: string;
  readonly by: string;
  readonly actor: 'worker' | 'operator';
  readonly forced: boolean;
}

export interface LandedMerge {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly mergedSha: string;
  readonly at: number;
  readonly auto: boolean;
  /** Absent if the pull request was merged outside Legion, and in journals of older versions. */
  readonly gate?: RecordedGate & { readonly by: string };
  readonly undone?: {
    readonly revert: number;
    readonly branch: string;
    readonly by: string;
    readonly at: number;
    readonly landed?: {
      readonly mergedSha: string;
      readonly by: string;
      readonly forced: boolean;
      readonly at: number;
    };
  };
}
