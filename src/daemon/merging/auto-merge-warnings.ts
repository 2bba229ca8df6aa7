/**
 * If another issue of the same repository fails its checks or its worker crashes soon after an
 * auto-merge, posts a warning on the auto-merged issue.
 */
import type { Command } from '../../core/model/command.ts';
import type { Event } from '../../core/model/event.ts';
import { type IssueId, toWorkerId } from '../../core/model/ids.ts';
import type { RoundReason } from '../../core/model/mode.ts';
import type { IssueRecord, LegionState } from '../../core/state/state.ts';

/** An auto-merge remains suspect for 30 min after it lands, as specified. */
const SUSPECT_MS = 30 * 60_000;

/** Reasons for a new round that indicate failing checks. */
const RED: readonly RoundReason[] = ['ci_failure', 'test_failure', 'quality_gate'];

/**
 * Returns the warnings that newly appended events cause. `repositoryOf` returns the name of an
 * issue's repository. The key ensures that each warning is posted only once.
 */
export function findAutoMergeWarnings(
  state: LegionState,
  events: readonly Event[],
  repositoryOf: (issue: IssueId) => string | undefined,
): Extract<Command, { kind: 'escalate' }>[] {
  return events.flatMap((event) => {
    const failure = findFailure(state, event);
    if (failure === undefined) return [];
    const repository = repositoryOf(failure.issue);
    return [...state.issues.values()]
      .filter((record) => record.issue !== failure.issue && isSuspect(record, failure))
      .filter((record) => repository !== undefined && repositoryOf(record.issue) === repository)
      .map((record) => buildAutoMergeWarning(record, failure));
  });
}

interface SuspiciousFailure {
  readonly issue: IssueId;
  readonly at: number;
  /** An attempt that began before the merge does not contain the merged change. */
  readonly begunAt: number;
  readonly description: string;
}

function findFailure({ workers }: LegionState, event: Event): SuspiciousFailure | undefined {
  if (event.type === 'round.counted' && RED.includes(event.reason)) {
    const { issue, at, reason } = event;
    return { issue, at, begunAt: at, description: `${issue} failed its checks (${reason})` };
  }
  if (event.type !== 'attempt.crashed') return undefined;
  const { issue, at, mode, attempt } = event;
  const worker = workers.get(toWorkerId(issue, mode));
  if (worker?.attempt !== attempt) return undefined;
  const description = `The ${mode} worker of ${issue} crashed`;
  return { issue, at, begunAt: worker.facts.dispatchedAt, description };
}

function isSuspect({ merged }: IssueRecord, { at, begunAt }: SuspiciousFailure): boolean {
  return (
    merged?.auto === true &&
    merged.undone === undefined &&
    at - merged.at <= SUSPECT_MS &&
    begunAt >= merged.at
  );
}

function buildAutoMergeWarning({ issue, merged }: IssueRecord, failure: SuspiciousFailure) {
  const text = [
    `${failure.description} soon after this issue was merged automatically.`,
    `If this is the cause, \`legion rollback ${issue}\` opens a revert of ${merged?.mergedSha ?? 'the merge'}.`,
  ].join('\n');
  return { kind: 'escalate', issue, key: `${issue}:auto-merge-suspect:${failure.issue}`, text } as const;
}
