/** The journal's event for a merge: one for each, also where it is found out about later. */
import type { EventBody } from '../../core/model/event.ts';
import { newIssueRecord, type Swarm } from '../../core/state/state.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';

export interface Landing {
  readonly issue: string;
  readonly pullRequest: Pick<ForgePullRequest, 'number' | 'headSha'>;
  readonly mergedSha: string;
  readonly auto: boolean;
}

/** None where the journal has it already. */
export function landed(swarm: Swarm, { issue, pullRequest, mergedSha, auto }: Landing): EventBody[] {
  const { merged, mergeBegun, lastMerge } = swarm.issues.get(issue) ?? newIssueRecord(issue);
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

/** Whether no person had a word in it, as far as the labels still tell. */
export function wasAutomatic(labels: ReadonlySet<string>): boolean {
  return labels.has('auto-merged') && !labels.has('human-approved');
}
