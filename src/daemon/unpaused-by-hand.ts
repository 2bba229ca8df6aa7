/** A person who takes `legion-paused` off an issue means "go on": what led to the pause is counted anew. */
import type { EventBody } from '../domain/event.ts';
import { workerId } from '../domain/ids.ts';
import { MODES, type Mode } from '../domain/mode.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import type { SeenIssue } from '../swarm/observation.ts';
import type { IssueRecord, Swarm } from '../swarm/state.ts';

const BY = 'a person, who took legion-paused off the issue';

export function unpausedByHand(swarm: Swarm, board: readonly SeenIssue[]): EventBody[] {
  return board.flatMap(({ issue }) => {
    const record = swarm.issues.get(issue.id);
    if (record?.decision?.reason !== 'paused') return [];
    if (effectiveLabels(issue.labels, record).has('legion-paused')) return [];
    // Whoever resumed it by a command has had it counted anew before the label went.
    return isCounted(swarm, record) ? countedAnew(swarm, issue.id, BY) : [];
  });
}

function isCounted(swarm: Swarm, { issue, rounds, evidence }: IssueRecord): boolean {
  const hasRun = Object.values(evidence).every(({ verdict }) => verdict !== 'could_not_run');
  const hasFailed = MODES.some((mode) => failedLives(swarm, issue, mode) > 0);
  return Object.keys(rounds).length > 0 || !hasRun || hasFailed;
}

function failedLives(swarm: Swarm, issue: string, mode: Mode): number {
  return swarm.workers.get(workerId(issue, mode))?.failedLives.length ?? 0;
}

/** Rounds of the issue, what could not be run, and the failed lives of its workers. */
export function countedAnew(swarm: Swarm, issue: string, by: string): EventBody[] {
  const record = swarm.issues.get(issue);
  const rounds: EventBody[] =
    record === undefined ? [] : [{ type: 'rounds.reset', issue, generation: record.generation + 1, by }];
  const crashes = MODES.flatMap((mode): EventBody[] => {
    const worker = swarm.workers.get(workerId(issue, mode));
    if (worker === undefined || worker.failedLives.length === 0) return [];
    return [{ type: 'crashes.reset', issue, mode, generation: worker.crashGeneration + 1, by }];
  });
  return [...rounds, ...crashes];
}
