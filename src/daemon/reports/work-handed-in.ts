/**
 * Checks that everything in the workspace is in the pull request, because later phases see only the
 * pull request.
 */

import type { PhaseProof, ProofStatus } from '../../core/health/verify-report.ts';
import { formatNames } from '../../core/model/format.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { Phase } from '../../core/model/mode.ts';
import type { ObservedStatus } from '../../core/model/status.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import { SCRATCH_FOLDER } from '../../ports/workspace.ts';

/** Length of a shortened commit id in texts for people. */
const SHORT_SHA_CHARS = 10;

/**
 * Checks that all work is pushed to the pull request. If there is no workspace, no work can be
 * missing.
 */
export function checkWorkHandedIn(
  workspaceStatus: WorkspaceStatus | 'none' | 'unknown',
  pullRequest: Pick<ForgePullRequest, 'headSha'> | 'none' | 'unknown',
): ProofFinding {
  if (workspaceStatus === 'unknown') return UNKNOWN;
  if (workspaceStatus === 'none') return YES;
  return mergeFindings(
    checkAllCommitted(workspaceStatus.uncommitted),
    checkPushed(workspaceStatus.head, pullRequest),
  );
}

function checkAllCommitted(names: readonly string[]): ProofFinding {
  return checkThat(
    names.length === 0,
    `Your workspace has uncommitted changes (${formatNames(names)}). Commit them and push your commits with \`legion worker push\`, or remove them.`,
  );
}

/**
 * Checks that the workspace has no uncommitted files. Used for phases that do not change the
 * repository's files.
 */
export function checkNothingLeftBehind(names: readonly string[]): ProofFinding {
  return checkThat(
    names.length === 0,
    `This phase must not change files, but the workspace has uncommitted changes (${formatNames(names)}). \`git status\` lists them. Undo your changes, and move files you need into ${SCRATCH_FOLDER}/.`,
  );
}

function checkPushed(head: string, pullRequest: Parameters<typeof checkWorkHandedIn>[1]): ProofFinding {
  if (pullRequest === 'unknown') return UNKNOWN;
  if (pullRequest === 'none' || pullRequest.headSha === head) return YES;
  return createMissingFinding(
    `Your workspace is at ${formatSha(head)}, but the pull request is at ${formatSha(pullRequest.headSha)}. Push your commits with \`legion worker push\`.`,
  );
}

export function formatSha(sha: string): string {
  return sha.slice(0, SHORT_SHA_CHARS);
}

export type ProofFinding =
  | { readonly fact: Exclude<ProofStatus, 'no'> }
  /** `missing` tells the worker in one sentence what to do. */
  | { readonly fact: 'no'; readonly missing: string };

export const YES: ProofFinding = { fact: 'yes' };
export const UNKNOWN: ProofFinding = { fact: 'unknown' };

/** Builds the finding for missing evidence. `missing` tells the worker what to do. */
export function createMissingFinding(missing: string): ProofFinding {
  return { fact: 'no', missing };
}

export function checkThat(holds: boolean, missing: string): ProofFinding {
  return holds ? YES : createMissingFinding(missing);
}

/** Combines findings: a single "no" is conclusive, even if other evidence could not be read. */
export function mergeFindings(...findings: readonly ProofFinding[]): ProofFinding {
  const refuted = findings.filter((finding) => finding.fact === 'no');
  if (refuted.length > 0) return createMissingFinding(refuted.map(({ missing }) => missing).join(' '));
  return findings.some(({ fact }) => fact === 'unknown') ? UNKNOWN : YES;
}

export interface PhaseFindings {
  readonly phase: Phase;
  readonly proofs: Readonly<Partial<Record<PhaseProof, ProofFinding>>>;
  readonly issue: Issue;
  readonly status: ObservedStatus;
  readonly pullRequest: ForgePullRequest | 'none' | 'unknown';
  readonly workspaceStatus: WorkspaceStatus | 'none' | 'unknown';
}
