/**
 * Collects the evidence that a worker's phase is done: each phase leaves its evidence in a
 * different place.
 */

import type { PhaseProof } from '../../core/health/verify-report.ts';
import { formatNames } from '../../core/model/format.ts';
import { type IssueId, toWorkerId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { Phase } from '../../core/model/mode.ts';
import { type ObservedStatus, readStatus, resolvePhase } from '../../core/model/status.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import { createIssueRecord, type IssueRecord, type WorkerRecord } from '../../core/state/state.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import { SCRATCH_FOLDER } from '../../ports/workspace.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import { findPullRequestOrUnknown, requireIssue } from '../repositories/read-outside.ts';
import type { PhaseFindings } from './work-handed-in.ts';
import {
  checkNothingLeftBehind,
  checkThat,
  checkWorkHandedIn,
  createMissingFinding,
  mergeFindings,
  type ProofFinding,
  UNKNOWN,
  YES,
} from './work-handed-in.ts';

/**
 * Phases in `PHASES_WITHOUT_PULL_REQUEST` write nothing to the forge. Reports of phases in
 * `PHASES_IN_WORKSPACE` depend on the state of the workspace.
 */
const PHASES_WITHOUT_PULL_REQUEST: readonly Phase[] = ['architect', 'plan'];
const PHASES_IN_WORKSPACE: readonly Phase[] = ['architect', 'plan', 'implement', 'retro'];

/**
 * Collects the evidence for a worker's report. Rejects if the issue itself cannot be read. `seen`
 * is the state of the workspace if it was read a moment ago.
 */
export async function findProof(
  context: StateContext & PortContext,
  worker: WorkerRecord,
  seen?: WorkspaceStatus,
): Promise<PhaseFindings> {
  const { columns } = context.settings();
  const issue = await requireIssue(context, worker.issue);
  const status = readStatus(issue.column, columns);
  const phase = resolvePhase(worker.mode, issue.column, columns);
  const [pullRequest, workspaceStatus] = await Promise.all([
    PHASES_WITHOUT_PULL_REQUEST.includes(phase)
      ? ('none' as const)
      : findPullRequestOrUnknown(context, issue.id),
    PHASES_IN_WORKSPACE.includes(phase)
      ? (seen ?? readWorkspaceStatus(context, issue.id))
      : ('none' as const),
  ]);
  const { state } = context.ledger;
  const record = state.issues.get(issue.id) ?? createIssueRecord(issue.id);
  const labels = computeEffectiveLabels(issue.labels, state, issue.id);
  const proofs = PROOFS[phase]({ worker, issue, labels, status, record, pullRequest, workspaceStatus });
  return { phase, proofs, issue, status, pullRequest, workspaceStatus };
}

async function readWorkspaceStatus(
  { workspaces }: PortContext,
  issue: IssueId,
): Promise<ProofContext['workspaceStatus']> {
  try {
    return (await workspaces.readStatus(issue)) ?? 'none';
  } catch {
    return 'unknown';
  }
}

interface ProofContext {
  readonly worker: WorkerRecord;
  readonly issue: Issue;
  /** The issue's effective labels. */
  readonly labels: ReadonlySet<string>;
  readonly status: ObservedStatus;
  readonly record: IssueRecord;
  readonly pullRequest: ForgePullRequest | 'none' | 'unknown';
  readonly workspaceStatus: WorkspaceStatus | 'none' | 'unknown';
}

type PhaseProofs = Readonly<Partial<Record<PhaseProof, ProofFinding>>>;

/** Defines the evidence for each phase, and what to do if it is missing. */
const PROOFS: Readonly<Record<Phase, (context: ProofContext) => PhaseProofs>> = {
  architect: (context) => ({
    specification: mergeFindings(
      isPlanReview(context) ? checkPlanReview(context) : checkSpecification(context),
      checkCleanWorkspace(context),
    ),
  }),
  plan: (context) => ({ plan: mergeFindings(checkPlan(context), checkCleanWorkspace(context)) }),
  implement: (context) => ({
    pull_request: checkPullRequestExists(context),
    commits: mergeFindings(
      withPullRequest(context, checkHasChanges),
      withPullRequest(context, checkNoScratchFiles),
      checkWorkHandedIn(context.workspaceStatus, context.pullRequest),
    ),
  }),
  test: (context) => ({
    test_verdict: mergeFindings(checkPullRequestExists(context), withPullRequest(context, checkTestVerdict)),
  }),
  review: (context) => ({
    review_at_head: mergeFindings(checkPullRequestExists(context), withPullRequest(context, checkReview)),
  }),
  retro: (context) => ({
    retro_at_head: mergeFindings(
      checkPullRequestExists(context),
      checkRetroHandoff(context),
      checkRetroWork(context),
    ),
  }),
  merge: (context) => ({
    merged: mergeFindings(checkPullRequestExists(context), withPullRequest(context, checkMerged)),
  }),
};

/**
 * Returns whether the architect was called to review an existing plan instead of writing another
 * specification.
 */
function isPlanReview({ status, issue }: ProofContext): boolean {
  return status === 'Todo' && issue.labels.includes('architect-continuity');
}

function checkPlanReview({ labels }: ProofContext): ProofFinding {
  return checkThat(
    labels.has('arch-review-approved') || labels.has('arch-review-changes'),
    'You have not reviewed the plan. Run `legion worker plan-review approve|request-changes`.',
  );
}

function checkSpecification({ record }: ProofContext): ProofFinding {
  return checkThat(
    record.handoffs.architect !== undefined || record.children.length > 0,
    'There is no specification. Write it with `legion worker handoff write`, or split the issue with `legion worker split`.',
  );
}

function checkPlan({ record }: ProofContext): ProofFinding {
  return checkThat(
    record.handoffs.plan !== undefined,
    'There is no plan. Write it with `legion worker handoff write`.',
  );
}

/**
 * Checks that phases without repository changes leave a clean workspace. All phases share the
 * workspace, so leftover files would end up in the pull request.
 */
function checkCleanWorkspace({ workspaceStatus }: ProofContext): ProofFinding {
  return typeof workspaceStatus === 'object' ? checkNothingLeftBehind(workspaceStatus.uncommitted) : YES;
}

function checkPullRequestExists({ pullRequest }: ProofContext): ProofFinding {
  if (pullRequest === 'unknown') return UNKNOWN;
  return pullRequest === 'none'
    ? createMissingFinding('There is no pull request. Push, then run `legion worker pr open`.')
    : YES;
}

/**
 * Checks one property of the pull request. A missing pull request yields `unknown` here, because
 * `checkPullRequestExists` already reports it.
 */
function withPullRequest(
  context: ProofContext,
  finding: (found: ForgePullRequest, context: ProofContext) => ProofFinding,
): ProofFinding {
  return typeof context.pullRequest === 'object' ? finding(context.pullRequest, context) : UNKNOWN;
}

function checkHasChanges({ changedFiles }: ForgePullRequest): ProofFinding {
  return checkThat(
    changedFiles.length > 0,
    'The pull request changes nothing. Commit your work and push it.',
  );
}

/**
 * Checks that the pull request contains no scratch files. Git ignores the scratch directory, so
 * such files can only have been added with `--force`.
 */
function checkNoScratchFiles({ changedFiles }: ForgePullRequest): ProofFinding {
  const scratch = changedFiles.filter((path) => path.startsWith(`${SCRATCH_FOLDER}/`));
  return checkThat(
    scratch.length === 0,
    `The pull request contains scratch files (${formatNames(scratch)}). Remove them with \`git rm --cached\`, commit and push.`,
  );
}

function checkTestVerdict({ headSha }: ForgePullRequest, { record }: ProofContext): ProofFinding {
  const { test } = record.evidence;
  return checkThat(
    test?.sha === headSha && test.verdict !== 'could_not_run',
    'There is no verdict at the head of the pull request. Run `legion worker verdict pass|fail`.',
  );
}

function checkReview({ reviews, headSha }: ForgePullRequest, { worker }: ProofContext): ProofFinding {
  if (reviews === 'unknown') return UNKNOWN;
  const reviewer = toWorkerId(worker.issue, worker.mode);
  return checkThat(
    reviews.some((review) => review.reviewer === reviewer && review.sha === headSha),
    'You have not reviewed the head of the pull request. Run `legion worker review approve|request-changes`.',
  );
}

function checkRetroHandoff({ record }: ProofContext): ProofFinding {
  return checkThat(
    record.handoffs.retro !== undefined,
    'There is no retro handoff. Write it with `legion worker handoff write`.',
  );
}

/**
 * Checks a retro's work. If the pull request is already merged, it accepts no more commits, so
 * leftover files in the workspace are left to the cleanup.
 */
function checkRetroWork({ pullRequest, workspaceStatus }: ProofContext): ProofFinding {
  const isMerged = typeof pullRequest === 'object' && pullRequest.state === 'merged';
  return isMerged ? YES : checkWorkHandedIn(workspaceStatus, pullRequest);
}

function checkMerged({ state, number }: ForgePullRequest): ProofFinding {
  return checkThat(
    state === 'merged',
    `Pull request ${number} is not merged. Request the merge with \`legion worker merge\`.`,
  );
}
