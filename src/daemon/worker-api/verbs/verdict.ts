/** Verbs that judge the work: `verdict`, `review` and `plan_review`. */
import { isDeepStrictEqual } from 'node:util';
import type { Evidence } from '../../../core/model/evidence.ts';
import { formatNames } from '../../../core/model/format.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import type { Label } from '../../../core/model/label.ts';
import { readStatus } from '../../../core/model/status.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import type { PortContext } from '../../context/daemon-context.ts';
import { formatSha } from '../../reports/work-handed-in.ts';
import { requireIssue } from '../../repositories/read-outside.ts';
import { appendAs, buildCommentKey } from '../attempt-guard.ts';
import { createNotReadyError, requireOpenPullRequest, type VerbHandler } from '../verb-handler.ts';

/** `verdict`: records whether the tests pass, as evidence for the head of the pull request. */
export const handleVerdict: VerbHandler<'verdict'> = async (context, who, { result, suites, detail }) => {
  const { issue, mode } = who;
  const { headSha: sha } = await requireOpenPullRequest(context, issue);
  await refuseOtherContent(context, issue, sha);
  const evidence: Evidence = {
    kind: 'test',
    sha,
    verdict: result === 'pass' ? 'passed' : 'failed',
    by: toWorkerId(issue, mode),
    suites,
    detail,
  };
  await appendAs(context, who, ({ record }) =>
    isDeepStrictEqual(record.evidence.test, evidence)
      ? []
      : [
          {
            type: 'evidence.recorded',
            issue,
            revision: record.lastEvidence + 1,
            ...evidence,
            suites: [...suites],
          },
        ],
  );
  context.wake(issue);
  return {
    sha,
    says: `The tests ${evidence.verdict} at ${formatSha(sha)}. Report with \`legion worker done\`.`,
  };
};

/**
 * Refuses a verdict if the content of the workspace differs from the commit for which the evidence
 * is recorded.
 */
async function refuseOtherContent({ workspaces }: PortContext, issue: string, head: string): Promise<void> {
  const workspaceStatus = await workspaces.readStatus(issue);
  if (workspaceStatus === undefined) throw createNotReadyError(`${issue} has no workspace.`);
  if (workspaceStatus.head !== head) {
    throw createNotReadyError(
      `The workspace is at ${formatSha(workspaceStatus.head)}, but the pull request is at ${formatSha(head)}.`,
    );
  }
  if (workspaceStatus.uncommitted.length > 0) {
    throw createNotReadyError(
      `The workspace has uncommitted changes, so it does not match the commit to be judged: ${formatNames(workspaceStatus.uncommitted)}.`,
    );
  }
}

/**
 * `review`: records an approval or a change request for the head of the pull request. Authors
 * cannot review their own pull request.
 */
export const handleReview: VerbHandler<'review'> = async (
  context,
  { issue, mode },
  { verdict: given, text },
) => {
  const { number, headSha: sha } = await requireOpenPullRequest(context, issue);
  const verdict = given === 'approve' ? 'approved' : 'changes_requested';
  await context.repositories
    .require(issue)
    .forge.review(number, { reviewer: toWorkerId(issue, mode), verdict, sha, text });
  context.wake(issue);
  return {
    sha,
    says: `Your review of pull request ${number} is recorded at ${formatSha(sha)}. Report with \`legion worker done\`.`,
  };
};

/**
 * `plan_review`: records whether the plan follows the architecture. The reasons become a comment,
 * and the verdict becomes a label.
 */
export const handlePlanReview: VerbHandler<'plan_review'> = async (context, who, { verdict, text }) => {
  const { issue: id } = who;
  const issue = await requireIssue(context, id);
  if (readStatus(issue.column, context.settings().columns) !== 'Todo') {
    throw createNotReadyError(`${id} is in ${issue.column}. A plan can only be reviewed in Todo.`);
  }
  if (!issue.labels.includes('architect-continuity')) {
    throw createNotReadyError(
      `${id} does not have the label architect-continuity, so no plan review was requested.`,
    );
  }
  // The comment is posted before the label is set, so that the reasons exist when the label takes
  // effect.
  await context.tracker.comment(
    id,
    buildCommentKey(who, undefined, `${verdict} ${text}`),
    `${OPENING[verdict]}\n\n${text}`,
  );
  const [add, remove] = MARKS[verdict];
  await appendAs(context, who, ({ state, record }) => {
    const labels = computeEffectiveLabels(issue.labels, state, id);
    return labels.has(add) && !labels.has(remove)
      ? []
      : [{ type: 'labels.owed', issue: id, revision: record.lastOwed + 1, add: [add], remove: [remove] }];
  });
  context.wake(id);
  return { says: 'Your review of the plan is recorded. Report with `legion worker done`.' };
};

const MARKS: Readonly<Record<'approve' | 'request-changes', readonly [Label, Label]>> = {
  approve: ['arch-review-approved', 'arch-review-changes'],
  'request-changes': ['arch-review-changes', 'arch-review-approved'],
};

const OPENING = {
  approve: 'The architect approves the plan.',
  'request-changes': 'The architect asks for changes to the plan.',
} as const;
