/** The pre-merge gate: the conditions that must hold at this commit before any merge. */
import type { BoundVerdict } from '../model/evidence.ts';
import type { MergeableStatus, ReviewVerdict } from '../model/pull-request.ts';
import type { IssueSignals, KnownPullRequestSignals } from '../model/signals.ts';
import type { PipelinePolicy } from './policy.ts';

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

export function checkPreMergeGate(
  signals: IssueSignals,
  policy: PipelinePolicy,
): GateCondition<PreMergeCondition>[] {
  return PRE_MERGE_CONDITIONS.map((name) => checkPreMergeCondition(name, signals, policy));
}

export function checkPreMergeCondition(
  name: PreMergeCondition,
  signals: IssueSignals,
  policy: PipelinePolicy,
): GateCondition<PreMergeCondition> {
  const { pullRequest } = signals;
  if (pullRequest === 'none') return createGateCondition(name, 'fail', 'pullRequest=none');
  if (pullRequest === 'unknown') return createGateCondition(name, 'unknown', 'pullRequest=unknown');
  return CONDITION_CHECKS[name](signals, pullRequest, policy);
}

type CheckCondition = (
  signals: IssueSignals,
  pullRequest: KnownPullRequestSignals,
  policy: PipelinePolicy,
) => GateCondition<PreMergeCondition>;

const CONDITION_CHECKS: Readonly<Record<PreMergeCondition, CheckCondition>> = {
  names_issue: (_, { namesIssue }) =>
    createGateCondition('names_issue', namesIssue, `namesIssue=${namesIssue}`),
  ci_green: checkCiGreen,
  review_approved: (_, { review }) =>
    createGateCondition('review_approved', judgeReviewCondition(review), `review=${review}`),
  tests_passed: checkTestsPassed,
  retro_done: ({ evidence: { retro } }) =>
    createGateCondition('retro_done', judgeProof(retro), `evidence.retro=${retro}`),
  no_open_question: ({ labels }) => {
    const hasQuestion = labels.has('user-input-needed');
    return createGateCondition('no_open_question', !hasQuestion, `user-input-needed=${hasQuestion}`);
  },
  mergeable: (_, { mergeable }) =>
    createGateCondition('mergeable', judgeMergeableCondition(mergeable), `mergeable=${mergeable}`),
  real_work: ({ scriptedWork }, _, { isDemoRepository }) =>
    createGateCondition(
      'real_work',
      !scriptedWork || isDemoRepository,
      `scripted=${scriptedWork}, demoRepository=${isDemoRepository}`,
    ),
};

/**
 * If the forge has no checks of its own, the quality gate must have passed at exactly this commit.
 */
function checkCiGreen(
  { evidence: { qualityGate } }: IssueSignals,
  { ci }: KnownPullRequestSignals,
  policy: PipelinePolicy,
): GateCondition<PreMergeCondition> {
  if (ci !== 'none') {
    const verdict = ci === 'passing' ? 'pass' : ci === 'unknown' ? 'unknown' : 'fail';
    return createGateCondition('ci_green', verdict, `ci=${ci}`);
  }
  return policy.qualityGate === 'none'
    ? createGateCondition('ci_green', 'fail', 'ci=none, qualityGate=not configured')
    : createGateCondition(
        'ci_green',
        judgeProof(qualityGate),
        `ci=none, evidence.qualityGate=${qualityGate}`,
      );
}

/** Requires both the label and the evidence: the label alone says nothing about this commit. */
function checkTestsPassed({ labels, evidence }: IssueSignals): GateCondition<PreMergeCondition> {
  const labelled = labels.has('test-passed') && !labels.has('test-failed');
  const verdict = labelled ? judgeProof(evidence.test) : 'fail';
  return createGateCondition(
    'tests_passed',
    verdict,
    `test-passed=${labelled}, evidence.test=${evidence.test}`,
  );
}

function judgeProof(verdict: BoundVerdict): ConditionVerdict {
  return verdict === 'passed' ? 'pass' : verdict === 'unknown' ? 'unknown' : 'fail';
}

function judgeReviewCondition(review: ReviewVerdict): ConditionVerdict {
  return review === 'approved' ? 'pass' : review === 'unknown' ? 'unknown' : 'fail';
}

function judgeMergeableCondition(mergeable: MergeableStatus): ConditionVerdict {
  return mergeable === 'mergeable' ? 'pass' : mergeable === 'unknown' ? 'unknown' : 'fail';
}

export type ConditionVerdict = 'pass' | 'fail' | 'unknown';

export interface GateCondition<Name extends string = string> {
  readonly name: Name;
  readonly verdict: ConditionVerdict;
  readonly evidence: string;
}

/** Builds one condition of a gate. People see it in a checklist, and the engine reads it. */
export function createGateCondition<Name extends string>(
  name: Name,
  verdict: ConditionVerdict | boolean,
  evidence: string,
): GateCondition<Name> {
  return { name, verdict: verdict === true ? 'pass' : verdict === false ? 'fail' : verdict, evidence };
}

/** The worst condition decides the gate: "unknown" is worse than "pass" and better than "fail". */
export function judgeGate(conditions: readonly GateCondition[]): ConditionVerdict {
  if (conditions.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return conditions.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'pass';
}
