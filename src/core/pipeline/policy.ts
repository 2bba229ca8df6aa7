/**
 * The limits set by the operator and the repository. The engine obeys them and never changes them.
 */
import { ROUND_REASONS, type RoundReason } from '../model/mode.ts';

export interface PipelinePolicy {
  readonly approvals: {
    /** `auto`: architect output needs no approval by a person. */
    readonly architect: 'required' | 'auto';
    /** `auto`: the auto-merge gate may replace a person's approval. `required`: it may not. */
    readonly merge: 'required' | 'auto';
  };
  /** Whether the repository has a quality gate command that the operator approved. */
  readonly qualityGate: 'configured' | 'none';
  /** Number of rounds that an issue may go through for one reason before a person decides. */
  readonly rounds: Readonly<Record<RoundReason, number>>;
  /** A commit that changes only these paths keeps earlier evidence valid. */
  readonly retroPaths: readonly string[];
  /** The repository's own `merge.auto_merge_allowed`. */
  readonly autoMergeAllowed: boolean;
  /** Set by `legion demo` when it creates the repository. Scripted work may be merged only here. */
  readonly isDemoRepository: boolean;
}

/**
 * Comparable tools settled on 2 to 3 rounds for CI and review. Beyond that, a person is cheaper
 * than another try.
 */
const DEFAULT_MAX_ROUNDS = 3;

/**
 * An anomaly is investigated in two steps: a re-read, then one prompt to the worker. If neither
 * helps, the issue is paused.
 */
const INVESTIGATION_STEPS = 2;

const rounds = Object.fromEntries(ROUND_REASONS.map((reason) => [reason, DEFAULT_MAX_ROUNDS]));

export const DEFAULT_POLICY: PipelinePolicy = {
  approvals: { architect: 'required', merge: 'auto' },
  qualityGate: 'none',
  rounds: {
    ...(rounds as Record<RoundReason, number>),
    no_pr: INVESTIGATION_STEPS,
    no_review: INVESTIGATION_STEPS,
  },
  retroPaths: ['docs/solutions/**'],
  autoMergeAllowed: false,
  isDemoRepository: false,
};
