/** What the journal knows of an issue's merge: one that was begun, the one that landed, and its revert. */

interface GateCondition {
  readonly name: string;
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly evidence: string;
}

/** Every condition of a merge as it was checked right before it. */
export interface SeenGate {
  readonly preMerge: readonly GateCondition[];
  readonly autoMerge?:
    | { readonly allowed: boolean; readonly conditions: readonly GateCondition[] }
    | undefined;
}

export interface MergeBegun extends SeenGate {
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
  /** Absent where it was not merged through Legion, and in journals of an older version. */
  readonly gate?: SeenGate & { readonly by: string };
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
