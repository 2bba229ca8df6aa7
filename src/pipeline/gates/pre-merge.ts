/** The pre-merge gate: what must hold at this commit before anything may be merged. */

import type { Mergeable, ReviewVerdict } from '../../core/model/pull-request.ts';
import type { OpenOrMerged, Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { BoundVerdict } from '../../domain/evidence.ts';
import { type Condition, type ConditionVerdict, condition } from './condition.ts';

const PRE_MERGE_CONDITIONS = [
  'names_issue',
  'ci_green',
  'review_approved',
  'tests_passed',
  'retro_done',
  'no_open_question',
  'mergeable',
  'real_work',
] as const;

export type PreMergeCondition = (typeof PRE_MERGE_CONDITIONS)[number];

export function preMergeGate(signals: Signals, policy: Policy): Condition<PreMergeCondition>[] {
  return PRE_MERGE_CONDITIONS.map((name) => preMergeCondition(name, signals, policy));
}

export function preMergeCondition(
  name: PreMergeCondition,
  signals: Signals,
  policy: Policy,
): Condition<PreMergeCondition> {
  const { pullRequest } = signals;
  if (pullRequest === 'none') return condition(name, 'fail', 'pullRequest=none');
  if (pullRequest === 'unknown') return condition(name, 'unknown', 'pullRequest=unknown');
  return EVALUATE[name](signals, pullRequest, policy);
}

type Evaluate = (signals: Signals, pullRequest: OpenOrMerged, policy: Policy) => Condition<PreMergeCondition>;

const EVALUATE: Readonly<Record<PreMergeCondition, Evaluate>> = {
  names_issue: (_, { namesIssue }) => condition('names_issue', namesIssue, `namesIssue=${namesIssue}`),
  ci_green: ciGreen,
  review_approved: (_, { review }) => condition('review_approved', ofReview(review), `review=${review}`),
  tests_passed: testsPassed,
  retro_done: ({ evidence: { retro } }) => condition('retro_done', ofProof(retro), `evidence.retro=${retro}`),
  no_open_question: ({ labels }) => {
    const asked = labels.has('user-input-needed');
    return condition('no_open_question', !asked, `user-input-needed=${asked}`);
  },
  mergeable: (_, { mergeable }) => condition('mergeable', ofMergeable(mergeable), `mergeable=${mergeable}`),
  real_work: ({ scriptedWork }, _, { isDemoRepository }) =>
    condition(
      'real_work',
      !scriptedWork || isDemoRepository,
      `scripted=${scriptedWork}, demoRepository=${isDemoRepository}`,
    ),
};

/** Without any check of the forge's own, the quality gate has to have passed at this very commit. */
function ciGreen(
  { evidence: { qualityGate } }: Signals,
  { ci }: OpenOrMerged,
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

function ofReview(review: ReviewVerdict): ConditionVerdict {
  return review === 'approved' ? 'pass' : review === 'unknown' ? 'unknown' : 'fail';
}

function ofMergeable(mergeable: Mergeable): ConditionVerdict {
  return mergeable === 'mergeable' ? 'pass' : mergeable === 'unknown' ? 'unknown' : 'fail';
}
