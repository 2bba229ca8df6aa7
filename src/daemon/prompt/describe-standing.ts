/** How a branch stands to its base, in sentences for the prompt of whoever works on it. */
import { counted } from '../../domain/format.ts';
import type { BaseStanding } from '../../workspaces/workspace.ts';
import { listed } from '../reports/work-handed-in.ts';

export function describeStanding(standing: BaseStanding | undefined): string | undefined {
  if (standing === undefined) return undefined;
  return [describeBranch(standing), ...describeUncommitted(standing)].join(' ');
}

function describeBranch({ base, ahead, behind, conflicts }: BaseStanding): string {
  const newer = counted(behind, 'commit');
  if (behind === 0)
    return ahead === 0
      ? `Your branch has no commits of its own and stands at the newest ${base}.`
      : `Your branch has everything that is on ${base}.`;
  if (ahead === 0) return `Your branch has no commits of its own and is ${newer} behind ${base}.`;
  if (conflicts === 'unknown')
    return `Your branch is ${newer} behind ${base}; whether the two conflict could not be found out.`;
  return conflicts.length === 0
    ? `Your branch is ${newer} behind ${base} and merges without a conflict: do not rebase it, and do not merge ${base} into it.`
    : `Your branch is ${newer} behind ${base} and conflicts with it in ${listed(conflicts)}.`;
}

function describeUncommitted({ uncommitted, ahead, behind }: BaseStanding): readonly string[] {
  if (uncommitted.length === 0) return [];
  const isHeld = ahead === 0 && behind > 0 ? ', so it was not moved to the newest base' : '';
  return [`Your workspace has uncommitted changes (${listed(uncommitted)})${isHeld}.`];
}
