/** Merges the journal has not heard of: a person's on the forge, or one whose worker and daemon died right after it. */
import type { EventBody } from '../domain/event.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import type { SeenIssue } from '../swarm/observation.ts';
import type { Swarm } from '../swarm/state.ts';
import { landed, wasAutomatic } from './reports/landed.ts';

export function unnoticedMerges(swarm: Swarm, board: readonly SeenIssue[]): EventBody[] {
  return board.flatMap(({ issue, pullRequest }) => {
    if (typeof pullRequest !== 'object' || pullRequest.state !== 'merged') return [];
    const { mergedSha } = pullRequest;
    if (mergedSha === undefined) return [];
    const auto = wasAutomatic(effectiveLabels(issue.labels, swarm, issue.id));
    return landed(swarm, { issue: issue.id, pullRequest, mergedSha, auto });
  });
}
