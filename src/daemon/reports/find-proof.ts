/** Looks for the proof that a worker's phase is done, where that phase leaves it. */
import { workerId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Phase } from '../../domain/mode.ts';
import { readStatus } from '../../domain/status.ts';
import type { ForgePullRequest } from '../../forges/forge.ts';
import type { Proof } from '../../health/verify-report.ts';
import { effectiveLabels } from '../../swarm/effective-labels.ts';
import { type IssueRecord, newIssueRecord, type WorkerRecord } from '../../swarm/state.ts';
import type { World } from '../world.ts';
import { all, type Finding, no, UNKNOWN, YES, yesIf } from './finding.ts';
import { phaseOf } from './phase-of.ts';
import { issueOf, pullRequestOf } from './read-outside.ts';
import { workHandedIn } from './work-handed-in.ts';

export interface Found {
  readonly phase: Phase;
  readonly proofs: Readonly<Partial<Record<Proof, Finding>>>;
  readonly issue: Issue;
  readonly pullRequest: ForgePullRequest | 'none' | 'unknown';
}

/** Rejects where the issue itself cannot be read. */
export async function findProof(world: World, worker: WorkerRecord): Promise<Found> {
  const { columns } = world.settings();
  const issue = await issueOf(world, worker.issue);
  const phase = phaseOf(worker.mode, issue.column, columns);
  const isOnPaper = phase === 'architect' || phase === 'plan';
  const pullRequest = isOnPaper ? 'none' : await pullRequestOf(world, issue.id);
  const proofs = await PROOFS[phase]({
    world,
    worker,
    issue,
    pullRequest,
    record: recordOf(world, issue.id),
  });
  return { phase, proofs, issue, pullRequest };
}

interface Look {
  readonly world: World;
  readonly worker: WorkerRecord;
  readonly issue: Issue;
  readonly record: IssueRecord;
  readonly pullRequest: Found['pullRequest'];
}

const PROOFS: Readonly<Record<Phase, (look: Look) => Found['proofs'] | Promise<Found['proofs']>>> = {
  architect: (look) => ({ specification: reviewsPlan(look) ? planReviewed(look) : specified(look) }),
  plan: ({ record }) => ({
    plan: yesIf(
      record.handoffs.plan !== undefined,
      'There is no plan: leave it with `legion worker handoff write`.',
    ),
  }),
  implement: async (look) => ({
    pull_request: present(look),
    commits: all(
      atPullRequest(look, ({ changedFiles }) =>
        yesIf(changedFiles.length > 0, 'The pull request changes nothing: commit your work and push it.'),
      ),
      await workHandedIn(look.world.workspaces, look.issue.id, look.pullRequest),
    ),
  }),
  test: (look) => ({
    test_verdict: all(
      present(look),
      atPullRequest(look, (found) => tested(look, found)),
    ),
  }),
  review: (look) => ({
    review_at_head: all(
      present(look),
      atPullRequest(look, (found) => reviewed(look, found)),
    ),
  }),
  retro: async (look) => ({ retro_at_head: await lookedBack(look) }),
  merge: (look) => ({
    merged: all(
      present(look),
      atPullRequest(look, ({ state, number }) =>
        yesIf(
          state === 'merged',
          `Pull request ${number} is not merged: ask for it with \`legion worker merge\`.`,
        ),
      ),
    ),
  }),
};

function recordOf({ ledger }: World, issue: string): IssueRecord {
  return ledger.swarm.issues.get(issue) ?? newIssueRecord(issue);
}

/** Called back to the issue when the plan is there, an architect looks at the plan instead of specifying anew. */
function reviewsPlan({ world, issue }: Look): boolean {
  const isTodo = readStatus(issue.column, world.settings().columns) === 'Todo';
  return isTodo && issue.labels.includes('architect-continuity');
}

function planReviewed({ issue, record }: Look): Finding {
  const labels = effectiveLabels(issue.labels, record);
  return yesIf(
    labels.has('arch-review-approved') || labels.has('arch-review-changes'),
    'You have not said what you think of the plan: `legion worker plan-review approve|request-changes`.',
  );
}

function specified({ record }: Look): Finding {
  return yesIf(
    record.handoffs.architect !== undefined || record.children.length > 0,
    'There is no specification: leave it with `legion worker handoff write`, or split the issue with `legion worker split`.',
  );
}

function present({ pullRequest }: Look): Finding {
  if (pullRequest === 'unknown') return UNKNOWN;
  return pullRequest === 'none' ? no('There is no pull request: push, then `legion worker pr open`.') : YES;
}

/** Of a pull request that is not there, `present` tells; nothing more has to be said about it. */
function atPullRequest({ pullRequest }: Look, look: (found: ForgePullRequest) => Finding): Finding {
  return typeof pullRequest === 'object' ? look(pullRequest) : UNKNOWN;
}

function tested({ record }: Look, { headSha }: ForgePullRequest): Finding {
  const { test } = record.evidence;
  return yesIf(
    test?.sha === headSha && test.verdict !== 'could_not_run',
    'There is no verdict at the head of the pull request: `legion worker verdict pass|fail`.',
  );
}

function reviewed({ worker }: Look, { reviews, headSha }: ForgePullRequest): Finding {
  if (reviews === 'unknown') return UNKNOWN;
  const reviewer = workerId(worker.issue, worker.mode);
  return yesIf(
    reviews.some((review) => review.reviewer === reviewer && review.sha === headSha),
    'You have given no review at the head of the pull request: `legion worker review approve|request-changes`.',
  );
}

/** A merged pull request takes no more commits, so what is left in the workspace then is the cleanup's to see. */
async function lookedBack(look: Look): Promise<Finding> {
  const { pullRequest, record, world, issue } = look;
  const isMerged = typeof pullRequest === 'object' && pullRequest.state === 'merged';
  return all(
    present(look),
    yesIf(
      record.handoffs.retro !== undefined,
      'There is no handoff of the retro: leave it with `legion worker handoff write`.',
    ),
    isMerged ? YES : await workHandedIn(world.workspaces, issue.id, pullRequest),
  );
}
