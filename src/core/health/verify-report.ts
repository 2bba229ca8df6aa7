/** Verifies a lost report by the evidence that its phase must leave behind. */

import { describeDuration } from '../model/format.ts';
import type { Phase } from '../model/mode.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

/** `unknown`: the evidence could not be read, which does not mean `no`. */
export type ProofStatus = 'yes' | 'no' | 'unknown';

export type PhaseProof =
  | 'specification'
  | 'plan'
  | 'commits'
  | 'pull_request'
  | 'test_verdict'
  | 'review_at_head'
  | 'retro_at_head'
  | 'merged';

export interface LostReport {
  readonly phase: Phase;
  readonly attempt: number;
  /**
   * Newest attempt of this worker. The report of an older attempt is stored, but changes nothing by
   * itself.
   */
  readonly newestAttempt: number;
  readonly claims: 'done' | 'error' | 'unknown';
  readonly lostSince: number;
  readonly facts: Readonly<Partial<Record<PhaseProof, ProofStatus>>>;
}

export interface RecoveryStep extends HealthExplanation {
  readonly step: 'synthesise_report' | 'synthesise_error' | 'probe' | 'record_only' | 'ask_person';
}

export function verifyReport(lost: LostReport, now: number, overrides: Partial<HealthLimits>): RecoveryStep {
  const { phase, claims, attempt, newestAttempt } = lost;
  const limits = resolveHealthLimits(overrides);
  const proofs = PHASE_PROOFS[phase];
  const evidence = [
    `phase=${phase}`,
    `claims=${claims}`,
    ...proofs.map((proof) => `${proof}=${getProofStatus(lost, proof)}`),
  ];
  const answer = (step: RecoveryStep['step'], why: string, wouldChange: string): RecoveryStep => {
    const until = step === 'ask_person' ? 'person' : 'event';
    return { step, why, evidence, wouldChange, until, lookAgainAt: now + limits.reporting };
  };

  if (attempt < newestAttempt)
    return answer(
      'record_only',
      `The report is from attempt ${attempt}, but attempt ${newestAttempt} has taken over.`,
      'Nothing by itself: the newer attempt is judged by its own evidence.',
    );
  if (claims === 'error')
    return answer(
      'synthesise_error',
      'The worker reported an error, but the report was lost.',
      'The error is recorded.',
    );
  const refuted = proofs.filter((proof) => getProofStatus(lost, proof) === 'no');
  if (refuted.length > 0)
    return answer(
      'synthesise_error',
      `It reports the ${phase} phase as done, but there is no ${refuted.join(' and no ')}.`,
      `If Legion finds ${refuted.join(' and ')} before it records the error, it records the report instead.`,
    );
  const unread = proofs.filter((proof) => getProofStatus(lost, proof) === 'unknown');
  if (unread.length === 0)
    return answer(
      'synthesise_report',
      `The ${phase} phase left its evidence: ${proofs.join(' and ')}.`,
      'The report is recorded.',
    );
  const waited = now - lost.lostSince;
  const why = `Legion has been unable to check ${unread.join(' and ')} for ${describeDuration(waited)}.`;
  const wouldChange = `Once ${unread.join(' and ')} can be checked, this is settled; the next try is in ${describeDuration(limits.reporting)}.`;
  return waited < limits.unresolved
    ? answer('probe', why, wouldChange)
    : answer('ask_person', why, wouldChange);
}

/**
 * Evidence that each phase must leave behind. The contract defines it for five phases. In addition,
 * an architect leaves a specification or a split, and a retro leaves its record at the head commit.
 */
const PHASE_PROOFS: Readonly<Record<Phase, readonly PhaseProof[]>> = {
  architect: ['specification'],
  plan: ['plan'],
  implement: ['commits', 'pull_request'],
  test: ['test_verdict'],
  review: ['review_at_head'],
  retro: ['retro_at_head'],
  merge: ['merged'],
};

function getProofStatus({ facts }: LostReport, proof: PhaseProof): ProofStatus {
  return facts[proof] ?? 'unknown';
}
