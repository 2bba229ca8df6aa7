/** Whether everything in the workspace is in the pull request: what is not, nobody after this phase would see. */
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { Standing } from '../../workspaces/workspace.ts';
import { SCRATCH_FOLDER } from '../perform/scratch-folder.ts';
import { all, type Finding, no, UNKNOWN, YES, yesIf } from './finding.ts';

/** A worker that is told of more begins with these. */
const NAMES_SHOWN = 5;
/** As git shows a commit to people. */
const SHORT_SHA = 10;

/** Where there is no workspace, there is nothing that could be missing. */
export function workHandedIn(
  standing: Standing | 'none' | 'unknown',
  pullRequest: Pick<ForgePullRequest, 'headSha'> | 'none' | 'unknown',
): Finding {
  if (standing === 'unknown') return UNKNOWN;
  if (standing === 'none') return YES;
  return all(nothingUncommitted(standing.uncommitted), pushed(standing.head, pullRequest));
}

function nothingUncommitted(names: readonly string[]): Finding {
  return yesIf(
    names.length === 0,
    `Your workspace has uncommitted changes (${listed(names)}): commit them and push your commits with \`legion worker push\`, or remove them.`,
  );
}

/** For phases that write no file of the repository. */
export function nothingLeftBehind(names: readonly string[]): Finding {
  return yesIf(
    names.length === 0,
    `This phase changes no file, but the workspace has uncommitted changes (${listed(names)}): \`git status\` lists them. Undo what you changed, and move what you need into ${SCRATCH_FOLDER}/.`,
  );
}

function pushed(head: string, pullRequest: Parameters<typeof workHandedIn>[1]): Finding {
  if (pullRequest === 'unknown') return UNKNOWN;
  if (pullRequest === 'none' || pullRequest.headSha === head) return YES;
  return no(
    `Your workspace stands at ${short(head)} and the pull request at ${short(pullRequest.headSha)}: push your commits with \`legion worker push\`.`,
  );
}

export function short(sha: string): string {
  return sha.slice(0, SHORT_SHA);
}

export function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
