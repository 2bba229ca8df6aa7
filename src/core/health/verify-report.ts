/** What a lost message is worth: its phase leaves proof in the world, and that decides whether it is believed. */
import type { Phase } from '../../domain/mode.ts';
import type { Explanation } from '../../health/judgement.ts';
import { type HealthLimits, healthLimits } from '../../health/limits.ts';
import { inWords } from '../../health/words.ts';

/** `unknown` when it could not be read, which is not `no`. */
export type Fact = 'yes' | 'no' | 'unknown';

export type Proof =
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
  /** The newest attempt of this worker; an older one's report is kept and moves nothing by itself. */
  readonly newestAttempt: number;
  readonly claims: 'done' | 'error' | 'unknown';
  readonly lostSince: number;
  readonly facts: Readonly<Partial<Record<Proof, Fact>>>;
}

export interface Recovery extends Explanation {
  readonly step: 'synthesise_report' | 'synthesise_error' | 'probe' | 'record_only' | 'ask_person';
}

export function verifyReport(lost: LostReport, now: number, given: Partial<HealthLimits>): Recovery {
  const { phase, claims, attempt, newestAttempt } = lost;
  const limits = healthLimits(given);
  const proofs = PROOFS[phase];
  const evidence = [
    `phase=${phase}`,
    `claims=${claims}`,
    ...proofs.map((proof) => `${proof}=${factOf(lost, proof)}`),
  ];
  const answer = (step: Recovery['step'], why: string, wouldChange: string): Recovery => {
    const until = step === 'ask_person' ? 'person' : 'event';
    return { step, why, evidence, wouldChange, until, lookAgainAt: now + limits.reporting };
  };

  if (attempt < newestAttempt)
    return answer(
      'record_only',
      `The report is of attempt ${attempt}, and attempt ${newestAttempt} has taken over.`,
      'Nothing by itself: the newer attempt is judged by its own evidence.',
    );
  if (claims === 'error')
    return answer(
      'synthesise_error',
      'The worker reported an error and the report was lost on its way.',
      'The error being taken in.',
    );
  const refuted = proofs.filter((proof) => factOf(lost, proof) === 'no');
  if (refuted.length > 0)
    return answer(
      'synthesise_error',
      `It says the ${phase} phase is done, but there is no ${refuted.join(' and no ')}.`,
      `${refuted.join(' and ')} being there before the error is taken in.`,
    );
  const unread = proofs.filter((proof) => factOf(lost, proof) === 'unknown');
  if (unread.length === 0)
    return answer(
      'synthesise_report',
      `The ${phase} phase left its proof: ${proofs.join(' and ')}.`,
      'The report being taken in.',
    );
  const waited = now - lost.lostSince;
  const why = `Whether there is ${unread.join(' and ')} could not be read for ${inWords(waited)}.`;
  const wouldChange = `A readable answer about ${unread.join(' and ')} settles it; looked at again in ${inWords(limits.reporting)}.`;
  return waited < limits.unresolved
    ? answer('probe', why, wouldChange)
    : answer('ask_person', why, wouldChange);
}

/** The contract names five phases; an architect leaves a specification or a split, a retro its record at the head. */
const PROOFS: Readonly<Record<Phase, readonly Proof[]>> = {
  architect: ['specification'],
  plan: ['plan'],
  implement: ['commits', 'pull_request'],
  test: ['test_verdict'],
  review: ['review_at_head'],
  retro: ['retro_at_head'],
  merge: ['merged'],
};

function factOf({ facts }: LostReport, proof: Proof): Fact {
  return facts[proof] ?? 'unknown';
}
