/** A person who takes `legion-paused` off an issue means "go on": what led to the pause is counted anew. */
import type { EventBody } from '../core/model/event.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { IssueRecord, Swarm, WorkerRecord } from '../core/state/state.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import { chargedTo } from '../swarm/spending.ts';
import { workersOf } from '../swarm/workers.ts';

const BY = 'a person, who took legion-paused off the issue';

export function unpausedByHand(swarm: Swarm, board: readonly SeenIssue[], now: number): EventBody[] {
  return board.flatMap(({ issue }) => {
    const record = swarm.issues.get(issue.id);
    if (record?.decision?.reason !== 'paused') return [];
    if (effectiveLabels(issue.labels, swarm, issue.id).has('legion-paused')) return [];
    // Whoever resumed it by a command has had it counted anew before the label went.
    return isCounted(swarm, record, now) ? countedAnew(swarm, issue.id, BY) : [];
  });
}

function isCounted(swarm: Swarm, { issue, rounds, evidence }: IssueRecord, now: number): boolean {
  const hasRun = Object.values(evidence).every(({ verdict }) => verdict !== 'could_not_run');
  const workers = workersOf(swarm, issue);
  const hasFailed = workers.some(({ failedLives }) => failedLives.length > 0);
  return Object.keys(rounds).length > 0 || !hasRun || hasFailed || hasSpent(workers, now);
}

function hasSpent(workers: readonly WorkerRecord[], now: number): boolean {
  const { wallMs, turns, tokens, usd } = chargedTo(workers, 'implement', now).issue;
  return wallMs > 0 || turns > 0 || tokens > 0 || usd > 0;
}

/** Rounds of the issue, what could not be run, the failed lives of its workers, and what they have used up. */
export function countedAnew(swarm: Swarm, issue: string, by: string): EventBody[] {
  const record = swarm.issues.get(issue);
  const rounds: EventBody[] =
    record === undefined ? [] : [{ type: 'rounds.reset', issue, generation: record.generation + 1, by }];
  const crashes = workersOf(swarm, issue).map(
    ({ mode, crashGeneration }): EventBody => ({
      type: 'crashes.reset',
      issue,
      mode,
      generation: crashGeneration + 1,
      by,
    }),
  );
  return [...rounds, ...crashes];
}
