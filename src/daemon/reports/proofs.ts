/** What proves each phase, and what to do where it is not there. */

import type { Proof } from '../../core/health/verify-report.ts';
import { workerId } from '../../core/model/ids.ts';
import type { SeenStatus } from '../../core/model/status.ts';
import type { IssueRecord, WorkerRecord } from '../../core/state/state.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Phase } from '../../domain/mode.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import { SCRATCH_FOLDER } from '../perform/scratch-folder.ts';
import { all, type Finding, no, UNKNOWN, YES, yesIf } from './finding.ts';
import { listed, nothingLeftBehind, workHandedIn } from './work-handed-in.ts';

export interface Look {
  readonly worker: WorkerRecord;
  readonly issue: Issue;
  /** The issue's effective labels. */
  readonly labels: ReadonlySet<string>;
  readonly status: SeenStatus;
  readonly record: IssueRecord;
  readonly pullRequest: ForgePullRequest | 'none' | 'unknown';
  readonly standing: Standing | 'none' | 'unknown';
}

type Proofs = Readonly<Partial<Record<Proof, Finding>>>;

export const PROOFS: Readonly<Record<Phase, (look: Look) => Proofs>> = {
  architect: (look) => ({
    specification: all(reviewsPlan(look) ? planReviewed(look) : specified(look), leftClean(look)),
  }),
  plan: (look) => ({ plan: all(planned(look), leftClean(look)) }),
  implement: (look) => ({
    pull_request: present(look),
    commits: all(
      at(look, changesSomething),
      at(look, holdsNoScratch),
      workHandedIn(look.standing, look.pullRequest),
    ),
  }),
  test: (look) => ({ test_verdict: all(present(look), at(look, tested)) }),
  review: (look) => ({ review_at_head: all(present(look), at(look, reviewed)) }),
  retro: (look) => ({ retro_at_head: all(present(look), handedOver(look), lookedBack(look)) }),
  merge: (look) => ({ merged: all(present(look), at(look, merged)) }),
};

/** Called back to the issue when the plan is there, an architect looks at the plan instead of specifying anew. */
function reviewsPlan({ status, issue }: Look): boolean {
  return status === 'Todo' && issue.labels.includes('architect-continuity');
}

function planReviewed({ labels }: Look): Finding {
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

function planned({ record }: Look): Finding {
  return yesIf(
    record.handoffs.plan !== undefined,
    'There is no plan: leave it with `legion worker handoff write`.',
  );
}

/** The phases share a workspace: what these leave in it would end up in the pull request. */
function leftClean({ standing }: Look): Finding {
  return typeof standing === 'object' ? nothingLeftBehind(standing.uncommitted) : YES;
}

function present({ pullRequest }: Look): Finding {
  if (pullRequest === 'unknown') return UNKNOWN;
  return pullRequest === 'none' ? no('There is no pull request: push, then `legion worker pr open`.') : YES;
}

/** Of a pull request that is not there, `present` tells; nothing more has to be said about it. */
function at(look: Look, finding: (found: ForgePullRequest, look: Look) => Finding): Finding {
  return typeof look.pullRequest === 'object' ? finding(look.pullRequest, look) : UNKNOWN;
}

function changesSomething({ changedFiles }: ForgePullRequest): Finding {
  return yesIf(changedFiles.length > 0, 'The pull request changes nothing: commit your work and push it.');
}

/** Git ignores the folder; whoever adds it by force is told. */
function holdsNoScratch({ changedFiles }: ForgePullRequest): Finding {
  const scratch = changedFiles.filter((path) => path.startsWith(`${SCRATCH_FOLDER}/`));
  return yesIf(
    scratch.length === 0,
    `The pull request contains scratch files (${listed(scratch)}): remove them with \`git rm --cached\`, commit and push.`,
  );
}

function tested({ headSha }: ForgePullRequest, { record }: Look): Finding {
  const { test } = record.evidence;
  return yesIf(
    test?.sha === headSha && test.verdict !== 'could_not_run',
    'There is no verdict at the head of the pull request: `legion worker verdict pass|fail`.',
  );
}

function reviewed({ reviews, headSha }: ForgePullRequest, { worker }: Look): Finding {
  if (reviews === 'unknown') return UNKNOWN;
  const reviewer = workerId(worker.issue, worker.mode);
  return yesIf(
    reviews.some((review) => review.reviewer === reviewer && review.sha === headSha),
    'You have given no review at the head of the pull request: `legion worker review approve|request-changes`.',
  );
}

function handedOver({ record }: Look): Finding {
  return yesIf(
    record.handoffs.retro !== undefined,
    'There is no handoff of the retro: leave it with `legion worker handoff write`.',
  );
}

/** A merged pull request takes no more commits, so what is left in the workspace then is the cleanup's to see. */
function lookedBack({ pullRequest, standing }: Look): Finding {
  const isMerged = typeof pullRequest === 'object' && pullRequest.state === 'merged';
  return isMerged ? YES : workHandedIn(standing, pullRequest);
}

function merged({ state, number }: ForgePullRequest): Finding {
  return yesIf(
    state === 'merged',
    `Pull request ${number} is not merged: ask for it with \`legion worker merge\`.`,
  );
}
