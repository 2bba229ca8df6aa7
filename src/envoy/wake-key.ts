/** When two wake-ups mean the same thing, and what they say together. */
import type { WakeUp } from './receiver.ts';

/** Names of owners and repositories are the same however they are capitalised; those of branches are not. */
export function wakeKey(wakeUp: WakeUp): string {
  if (wakeUp === 'everything') return wakeUp;
  if ('issue' in wakeUp) return `${repository(wakeUp.issue)}#${wakeUp.issue.number}`;
  if ('branch' in wakeUp) return `${repository(wakeUp.branch)}:${wakeUp.branch.branch}`;
  if ('commit' in wakeUp) return `${repository(wakeUp.commit)}@${wakeUp.commit.sha}`;
  if ('tracked' in wakeUp) return wakeUp.tracked;
  return `${wakeUp.project} ${wakeUp.projectItem}`;
}

/** Of two with the same key: the later one, with what the earlier one knew besides. */
export function merged(earlier: WakeUp, later: WakeUp): WakeUp {
  if (earlier === 'everything' || later === 'everything') return 'everything';
  if (!('commit' in earlier) || !('commit' in later)) return later;
  const { branches, pullRequests } = earlier.commit;
  return {
    commit: {
      ...later.commit,
      branches: [...new Set([...branches, ...later.commit.branches])],
      pullRequests: [...new Set([...pullRequests, ...later.commit.pullRequests])],
    },
  };
}

function repository({ owner, repo }: { readonly owner: string; readonly repo: string }): string {
  return `${owner}/${repo}`.toLowerCase();
}
