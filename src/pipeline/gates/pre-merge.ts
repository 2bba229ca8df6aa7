/** The pre-merge gate: what must hold at this commit before anything may be merged. */
import type { BoundVerdict } from '../../domain/evidence.ts';
import type { OpenOrMerged, Signals } from '../../domain/signals.ts';
import type { Policy } from '../policy.ts';
import { type Condition, type ConditionVerdict, condition } from './condition.ts';

export const PRE_MERGE_CONDITIONS = [
  'names_issue',
  'ci_green',
  'review_approved',
  'tests_passed',
  'retro_done',
  'no_open_question',
  'mergeable',
] as const;

export type PreMergeCondition = (typeof PRE_MERGE_CONDITIONS)[number];

export function preMergeGate(signals: Signals, policy: Policy): Condition<PreMergeCondition>[] {
  const { pullRequest, evidence, labels } = signals;
  if (pullRequest === 'none' || pullRequest === 'unknown') {
    const missing = pullRequest === 'none' ? 'fail' : 'unknown';
    return PRE_MERGE_CONDITIONS.map((name) => condition(name, missing, `pullRequest=${pullRequest}`));
  }
  return [
    condition('names_issue', pullRequest.namesIssue, `namesIssue=${pullRequest.namesIssue}`),
    ciGreen(pullRequest, evidence.qualityGate, policy),
    condition('review_approved', ofReview(pullRequest), `review=${pullRequest.review}`),
    testsPassed(signals),
    condition('retro_done', ofProof(evidence.retro), `evidence.retro=${evidence.retro}`),
    condition(
      'no_open_question',
      !labels.has('user-input-needed'),
      `user-input-needed=${labels.has('user-input-needed')}`,
    ),
    condition('mergeable', ofMergeable(pullRequest), `mergeable=${pullRequest.mergeable}`),
  ];
}

/** Without any check of the forge's own, the quality gate has to have passed at this very commit. */
function ciGreen(
  { ci }: OpenOrMerged,
  qualityGate: BoundVerdict,
  policy: Policy,
): Condition<PreMergeCondition> {
  if (ci !== 'none') {
    const verdict = ci === 'passing' ? 'pass' : ci === 'unknown' ? 'unknown' : 'fail';
    return condition('ci_green', verdict, `ci=${ci}`);
  }
  return policy.qualityGate === 'none'
    ? condition('ci_green', 'fail', 'ci=none, qualityGate=not configured')
    : condition('ci_green', ofProof(qualityGate), `ci=none, evidence.qualityGate=${qualityGate}`);
}

/** The label and the proof are both needed: the label alone says nothing about this commit. */
function testsPassed({ labels, evidence }: Signals): Condition<PreMergeCondition> {
  const labelled = labels.has('test-passed') && !labels.has('test-failed');
  const verdict = labelled ? ofProof(evidence.test) : 'fail';
  return condition('tests_passed', verdict, `test-passed=${labelled}, evidence.test=${evidence.test}`);
}

function ofProof(verdict: BoundVerdict): ConditionVerdict {
  return verdict === 'passed' ? 'pass' : verdict === 'unknown' ? 'unknown' : 'fail';
}

function ofReview({ review }: OpenOrMerged): ConditionVerdict {
  return review === 'approved' ? 'pass' : review === 'unknown' ? 'unknown' : 'fail';
}

function ofMergeable({ mergeable }: OpenOrMerged): ConditionVerdict {
  return mergeable === 'mergeable' ? 'pass' : mergeable === 'unknown' ? 'unknown' : 'fail';
}
