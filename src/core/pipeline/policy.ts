/** What the operator and the repository allow; the engine obeys it and never changes it. */
import { ROUND_REASONS, type RoundReason } from '../../domain/rounds.ts';

export interface Policy {
  readonly approvals: {
    /** `auto`: architect output goes on without a person. */
    readonly architect: 'required' | 'auto';
    /** `auto`: the auto-merge gate may stand in for a person; `required`: it may not. */
    readonly merge: 'required' | 'auto';
  };
  /** Whether the repository has a quality gate command that the operator has approved. */
  readonly qualityGate: 'configured' | 'none';
  /** How often an issue may go round for one reason before a person decides. */
  readonly rounds: Readonly<Record<RoundReason, number>>;
  /** A commit that changes nothing outside these paths leaves earlier proofs valid. */
  readonly retroPaths: readonly string[];
  /** The repository's own `merge.auto_merge_allowed`. */
  readonly autoMergeAllowed: boolean;
  /** Marked by `legion demo` when it made the repository: scripted work may be merged here, and nowhere else. */
  readonly isDemoRepository: boolean;
}

/** Peers settled on 2 to 3 rounds for CI and review; beyond that a person is cheaper than another try. */
const ROUNDS_DEFAULT = 3;

/** An anomaly is looked into in two steps, a re-read and one word to the worker; the third step is a pause. */
const INVESTIGATION_STEPS = 2;

const rounds = Object.fromEntries(ROUND_REASONS.map((reason) => [reason, ROUNDS_DEFAULT]));

export const DEFAULT_POLICY: Policy = {
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
