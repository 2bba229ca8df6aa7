/** The journal's word on a merge: written once for each, also when it was found out about later. */
import type { EventBody } from '../../domain/event.ts';
import type { ForgePullRequest } from '../../forges/forge.ts';
import { newIssueRecord, type Swarm } from '../../swarm/state.ts';

export interface Landing {
  readonly issue: string;
  readonly pullRequest: Pick<ForgePullRequest, 'number' | 'headSha'>;
  readonly mergedSha: string;
  readonly auto: boolean;
}

/** Nothing where the journal knows of it. */
export function landed(swarm: Swarm, { issue, pullRequest, mergedSha, auto }: Landing): EventBody[] {
  const { merged, lastMerge } = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const { number, headSha } = pullRequest;
  if (merged?.pullRequest === number) return [];
  return [
    { type: 'merge.landed', issue, merge: lastMerge + 1, pullRequest: number, headSha, mergedSha, auto },
  ];
}

/** Whether no person had a word in it, as far as the labels still tell. */
export function wasAutomatic(labels: ReadonlySet<string>): boolean {
  return labels.has('auto-merged') && !labels.has('human-approved');
}
