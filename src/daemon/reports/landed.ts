/** Builds the journal event of a merge and determines whether the merge was automatic. */
import type { EventBody } from '../../core/model/event.ts';
import { createIssueRecord, type LegionState } from '../../core/state/state.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';

export interface MergeLanding {
  readonly issue: string;
  readonly pullRequest: Pick<ForgePullRequest, 'number' | 'headSha'>;
  readonly mergedSha: string;
  readonly auto: boolean;
}

/** Builds the event of a merge. Returns none if the journal already has it. */
export function buildLandingEvents(
  state: LegionState,
  { issue, pullRequest, mergedSha, auto }: MergeLanding,
): EventBody[] {
  const { merged, mergeBegun, lastMerge } = state.issues.get(issue) ?? createIssueRecord(issue);
  const { number, headSha } = pullRequest;
  if (merged?.pullRequest === number) return [];
  const isOperators =
    mergeBegun?.actor === 'operator' && mergeBegun.pullRequest === number && mergeBegun.headSha === headSha;
  return [
    {
      type: 'merge.landed',
      issue,
      merge: lastMerge + 1,
      pullRequest: number,
      headSha,
      mergedSha,
      auto: auto && !isOperators,
      ...(isOperators && { by: mergeBegun.by }),
    },
  ];
}

/**
 * Returns whether a merge was automatic, as far as the labels still show it: the issue is marked as
 * auto-merged and not as approved by a person.
 */
export function isAutomaticMerge(labels: ReadonlySet<string>): boolean {
  return labels.has('auto-merged') && !labels.has('human-approved');
}
