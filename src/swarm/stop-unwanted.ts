/** Stops workers whose issue was closed, or taken out of their hands, while they worked on it. */
import type { Command } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { SeenStatus } from '../core/model/status.ts';
import { isRunning } from '../core/state/halt.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import { newIssueRecord, type Swarm, type WorkerRecord } from '../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../domain/lifecycle.ts';
import { workersOf } from './workers.ts';

export interface UnwantedStop {
  readonly issue: IssueId;
  /** To be appended before any command is performed. */
  readonly events: readonly EventBody[];
  readonly commands: readonly { readonly intent: number; readonly command: Command }[];
}

/** Legion itself moves no issue into one of these while a worker is live: a person did. */
export const STATUSES_WITHOUT_WORKERS: ReadonlySet<SeenStatus> = new Set<SeenStatus>([
  'terminal',
  'Done',
  'Icebox',
  'Backlog',
]);

/** Pure: at most one entry for each issue of the board. */
export function stopUnwantedWorkers(swarm: Swarm, board: readonly SeenIssue[]): readonly UnwantedStop[] {
  let { lastIntent } = swarm;
  return board.flatMap((seen): UnwantedStop[] => {
    const { id: issue } = seen.issue;
    const workers = findUnwantedWorkers(swarm, seen);
    if (workers.length === 0) return [];
    const why = describeMove(seen);
    const commands = workers.map(({ mode, attempt }) => {
      lastIntent += 1;
      const command: Command = { kind: 'stop', issue, mode, attempt, evidence: [why] };
      return { intent: lastIntent, command };
    });
    const revision = (swarm.issues.get(issue) ?? newIssueRecord(issue)).lastOwed + 1;
    const events: EventBody[] = [
      ...workers.map(
        ({ mode, attempt }): EventBody => ({ type: 'attempt.stopped', issue, mode, attempt, why }),
      ),
      // Left in place, the label would say that a worker was lost, and another one would start.
      { type: 'labels.owed', issue, revision, add: [], remove: ['worker-active'] },
      ...commands.map((numbered): EventBody => ({ type: 'intent.opened', ...numbered })),
    ];
    return [{ issue, events, commands }];
  });
}

function findUnwantedWorkers(swarm: Swarm, { issue, status }: SeenIssue): readonly WorkerRecord[] {
  const since = swarm.board.get(issue.id)?.since;
  if (since === undefined || !STATUSES_WITHOUT_WORKERS.has(status)) return [];
  const { merged, mergeBegun } = swarm.issues.get(issue.id) ?? {};
  // Forges and boards close and move an issue by themselves once its pull request is merged.
  if (merged !== undefined && merged.undone === undefined) return [];
  return workersOf(swarm, issue.id).filter((worker) => {
    const { mode, facts } = worker;
    if (!isRunning(worker) || hasEnded(lifecycleOf(facts))) return false;
    // A worker that somebody started after the move is wanted.
    const isWanted =
      facts.dispatchedAt >= since ||
      (mode === 'architect' && status === 'Backlog') ||
      (mode === 'merge' && mergeBegun !== undefined);
    return !isWanted;
  });
}

function describeMove({ issue: { id, column }, status }: SeenIssue): string {
  return status === 'terminal' ? `${id} was closed` : `${id} was moved to ${column}`;
}
