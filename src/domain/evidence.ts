/** Proofs of work, each bound to the commit it was made at. */

export const EVIDENCE_KINDS = ['test', 'quality_gate', 'retro'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** `could_not_run`: the command was missing, timed out or was killed; that is no verdict on the code. */
type EvidenceVerdict = 'passed' | 'failed' | 'could_not_run';

export interface Evidence {
  readonly kind: EvidenceKind;
  readonly sha: string;
  readonly verdict: EvidenceVerdict;
  /** Who says so: a worker id, a host, or a person who set the label. */
  readonly by: string;
  /** Names of what was run, such as `unit`, `e2e`, `lint`. */
  readonly suites: readonly string[];
  readonly detail: string;
}

/**
 * What a proof is worth at the commit we look at: its verdict, `void` when other commits came after it, `none` when there is
 * none, `unknown` when the commits in between could not be read.
 */
export type BoundVerdict = EvidenceVerdict | 'void' | 'none' | 'unknown';

/** What changed between the commit a proof was made at and the present head. */
export interface ChangeSince {
  /** Paths in which the branch's own work changed; what only came in from the base is not among them. */
  readonly own: readonly string[];
  /** Paths of the branch's own work that the base changed as well since the two last met. */
  readonly overlap: readonly string[];
  /** The branch was brought onto another commit of its base in between: rebased, or the base merged into it. */
  readonly rebased: boolean;
}

/** By the commit a proof was made at; `unknown` where the forge could not compare it with the head. */
export type ChangesSince = ReadonlyMap<string, ChangeSince | 'unknown'>;
