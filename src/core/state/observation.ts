/** Builds an issue's signals from outside observations and the journal. */

import type { BoundVerdict, Evidence, EvidenceKind } from '../model/evidence.ts';
import { bindVerdict, isStillValid } from '../model/evidence.ts';
import { quoteShellWord } from '../model/format.ts';
import { hasClosingKeyword } from '../model/issue.ts';
import { type LifecycleState, toLifecycleState } from '../model/lifecycle.ts';
import { MODES, type Mode } from '../model/mode.ts';
import type { BlockingCheckout, ObservedIssue } from '../model/observed-issue.ts';
import { judgeReviews } from '../model/pull-request.ts';
import type {
  AutoMergeVerdict,
  IceboxTurn,
  IssueSignals,
  LegionHold,
  PullRequestSignals,
} from '../model/signals.ts';
import type { ObservedStatus } from '../model/status.ts';
import { judgeAutoMerge, type MergeCandidate } from '../pipeline/auto-merge.ts';
import type { IceboxIssue } from '../pipeline/order.ts';
import type { PipelinePolicy } from '../pipeline/policy.ts';
import { findRejectedWork } from '../pipeline/rejection.ts';
import { resolveChildrenStatus } from '../pipeline/situation.ts';
import { chooseTriageRoute } from '../pipeline/triage.ts';
import { applyApproval, judgeApproval } from './approval.ts';
import { computeEffectiveLabels } from './effective-labels.ts';
import { findDecisionWithoutHold } from './issues.ts';
import type { IssueRecord, LegionState, WorkerRecord } from './state.ts';
import { listIssueWorkers } from './workers.ts';

export interface SignalContext {
  readonly icebox: IceboxTurn;
  readonly statusOf: (issue: string) => ObservedStatus | undefined;
  readonly now: number;
  /** Maximum wait of a `retry_` action before a person is notified, in ms. */
  readonly checkWaitMs: number;
}

export function buildSignals(
  state: LegionState,
  observed: ObservedIssue,
  policy: PipelinePolicy,
  context: SignalContext,
): IssueSignals {
  const { issue, status } = observed;
  const record = state.issues.get(issue.id);
  const records = listIssueWorkers(state, issue.id);
  const workers = mapWorkerStates(records);
  const askedBy = MODES.find((mode) => workers[mode] === 'waiting-user');
  const written = computeEffectiveLabels(issue.labels, state, issue.id);
  const approval = judgeApproval(record, observed, written, policy);
  const labels = applyApproval(written, approval, status);
  return {
    issue: issue.id,
    status,
    labels,
    blockers: issue.openBlockers,
    heldBy: issue.problems?.filter(({ holds }) => holds).map(({ text }) => text),
    children: resolveChildrenStatus(record?.children ?? [], context.statusOf),
    pullRequest: buildPullRequestSignals(observed, policy),
    revert: observed.revert?.state,
    held: toLegionHold(state),
    workers,
    evidence: {
      test: bindProof(observed, record, 'test', (evidence, head) =>
        bindEvidence(observed, evidence, head, policy),
      ),
      qualityGate: bindProof(observed, record, 'quality_gate', getVerdictAt),
      // Retro evidence is not bound to a commit, so it is valid even while the pull request cannot
      // be read.
      retro: record?.evidence.retro?.verdict ?? 'none',
    },
    rounds: record?.rounds ?? {},
    waitedTooLong: hasWaitedTooLong(record, context),
    ...(askedBy === undefined ? {} : { askedBy }),
    sentBack: record?.sentBack?.ordered === false ? record.sentBack.by : undefined,
    approval: approval === 'unknown' ? approval : undefined,
    rejected:
      record?.rejection?.ordered === false ? findRejectedWork(record.rejection.of, status) : undefined,
    route: status === 'Triage' ? chooseTriageRoute(issue).route : 'Icebox',
    icebox: context.icebox,
    checkouts: observed.checkouts?.map(describeCheckout),
    autoMerge: status === 'Retro' ? judgeIssueAutoMerge(observed, record, labels, policy) : 'not_allowed',
    scriptedWork: records.some(({ scripted }) => scripted === true),
  };
}

/** A hold after crashes blocks only starts, while a person's hold blocks every step. */
function toLegionHold({ breaker: { open } }: LegionState): LegionHold | undefined {
  if (open === undefined || open.kind === 'deaths') return undefined;
  const { kind, by = 'an operator', why } = open;
  return { kind, by, why };
}

function mapWorkerStates(workers: readonly WorkerRecord[]): Partial<Record<Mode, LifecycleState>> {
  const states: Partial<Record<Mode, LifecycleState>> = {};
  for (const { mode, facts } of workers) states[mode] = toLifecycleState(facts);
  return states;
}

function buildPullRequestSignals(
  { pullRequest, issue, changes }: ObservedIssue,
  policy: PipelinePolicy,
): PullRequestSignals {
  if (pullRequest === 'none' || pullRequest === 'unknown') return pullRequest;
  const { state, draft, headSha, ci, mergeable, body, reviews } = pullRequest;
  const isValid = (sha: string) => isStillValid(sha, headSha, changes, policy.retroPaths);
  return {
    state,
    draft,
    headSha,
    review: judgeReviews(reviews, isValid),
    ci,
    mergeable,
    namesIssue: hasClosingKeyword(body, issue),
  };
}

/**
 * Returns the verdict of the evidence at the pull request's head. Returns `unknown` if the pull
 * request cannot be read.
 */
function bindProof(
  { pullRequest }: ObservedIssue,
  record: IssueRecord | undefined,
  kind: EvidenceKind,
  bind: (evidence: Evidence, head: string) => BoundVerdict,
): BoundVerdict {
  const evidence = record?.evidence[kind];
  if (evidence === undefined || pullRequest === 'none') return 'none';
  return pullRequest === 'unknown' ? 'unknown' : bind(evidence, pullRequest.headSha);
}

function bindEvidence(
  { changes }: ObservedIssue,
  evidence: Evidence,
  head: string,
  { retroPaths }: PipelinePolicy,
): BoundVerdict {
  return bindVerdict(evidence, head, changes, retroPaths);
}

/**
 * The quality gate replaces CI, so like CI it is valid only at its own commit. The host can rerun
 * it at any time.
 */
function getVerdictAt({ sha, verdict }: Evidence, head: string): BoundVerdict {
  return sha === head ? verdict : 'void';
}

function hasWaitedTooLong(record: IssueRecord | undefined, { now, checkWaitMs }: SignalContext): boolean {
  const decision = findDecisionWithoutHold(record);
  return decision?.action.startsWith('retry_') === true && now - decision.since > checkWaitMs;
}

function judgeIssueAutoMerge(
  observed: ObservedIssue,
  record: IssueRecord | undefined,
  labels: ReadonlySet<string>,
  policy: PipelinePolicy,
): AutoMergeVerdict {
  const candidate = toMergeCandidate(observed, record, labels);
  return candidate === undefined ? 'unknown' : judgeAutoMerge(candidate, policy);
}

/** Returns the inputs of the auto-merge gate, or undefined if there is no readable pull request. */
export function toMergeCandidate(
  { pullRequest, diff }: ObservedIssue,
  record: IssueRecord | undefined,
  labels: ReadonlySet<string>,
): MergeCandidate | undefined {
  if (pullRequest === 'none' || pullRequest === 'unknown') return undefined;
  const { draft, additions, deletions, changedFiles } = pullRequest;
  const testSuites = record?.evidence.test?.suites ?? [];
  return { draft, additions, deletions, changedFiles, diff, testSuites, labels };
}

/** Collects the facts that decide which issue leaves the Icebox next. */
export function listIceboxIssues(state: LegionState, board: readonly ObservedIssue[]): IceboxIssue[] {
  return board
    .filter(({ status }) => status === 'Icebox')
    .map(({ issue, clarified }) => ({
      issue: issue.id,
      parked: state.issues.get(issue.id)?.iceboxedByTriage !== true,
      clarified: clarified || issue.labels.includes('user-feedback-given'),
      createdAt: issue.createdAt,
    }));
}

export function describeCheckout({ folder, files, why }: BlockingCheckout): string {
  return files.length === 0 ? `${folder}: ${why}` : `${folder}: ${files.join(', ')}`;
}

/**
 * Returns a command that stashes exactly these files, including untracked and ignored ones.
 * Undefined if git cannot do that.
 */
export function buildStashCommand(checkouts: readonly BlockingCheckout[]): string | undefined {
  if (checkouts.length === 0 || checkouts.some(({ files }) => files.length === 0)) return undefined;
  const commands = checkouts.map(({ folder, files }) => {
    const names = files.map(quoteShellWord).join(' ');
    return `git -C ${quoteShellWord(folder)} --literal-pathspecs stash push --all -- ${names}`;
  });
  return commands.join(' && ');
}
