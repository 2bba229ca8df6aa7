/** An issue as somebody has posted it, with everything else as it was last seen. */

import { readStatus } from '../../core/model/status.ts';
import type { SeenIssue } from '../../core/state/observation.ts';
import type { Issue } from '../../domain/issue.ts';
import type { PostedIssue } from '../../ports/tracker.ts';
import { statusAfterMerge } from '../closed-by-merge.ts';
import { needsPullRequest } from '../context/observer.ts';
import type { World } from '../world.ts';

export function seenAsPosted({ view, settings, clock }: World, posted: PostedIssue): SeenIssue {
  const known = view.of(posted.id);
  const issue: Issue = { ...(known?.issue ?? unseen(posted.id, clock.now())), ...posted };
  const status = readStatus(issue.column, settings().columns);
  const pullRequest = lastKnown(known, needsPullRequest(status));
  return {
    issue,
    status: statusAfterMerge(status, pullRequest),
    pullRequest,
    revert: known?.revert,
    changes: known?.changes ?? new Map(),
    addedDependencies: known?.addedDependencies ?? 'unknown',
    clarified: status === 'Icebox' && known?.clarified === true,
    said: known?.said,
  };
}

/** An issue that nobody has seen: Linear takes the identifier wherever it takes a UUID. */
function unseen(
  id: string,
  now: number,
): Pick<Issue, 'source' | 'body' | 'priority' | 'createdAt' | 'openBlockers'> {
  const source = { kind: 'linear', uuid: id, identifier: id } as const;
  return { source, body: '', priority: 0, createdAt: now, openBlockers: [] };
}

/** Where it was not asked for when the issue was seen, because it did not matter then, it is not known whether there is one. */
function lastKnown(known: SeenIssue | undefined, matters: boolean): SeenIssue['pullRequest'] {
  if (typeof known?.pullRequest === 'object') return known.pullRequest;
  if (!matters) return 'none';
  return known !== undefined && needsPullRequest(known.status) ? known.pullRequest : 'unknown';
}
