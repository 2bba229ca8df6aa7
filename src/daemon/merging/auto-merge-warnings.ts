/**
 * If other issues fail their checks soon after an auto-merge, posts a warning on the auto-merged
 * issue.
 */
import type { Command } from '../../core/model/command.ts';
import type { Event } from '../../core/model/event.ts';
import type { RoundReason } from '../../core/model/mode.ts';
import type { IssueRecord, LegionState } from '../../core/state/state.ts';

/** An auto-merge is suspected for 30 min after it landed, as specified. */
const SUSPECT_MS = 30 * 60_000;

/** Reasons for a new round that indicate failing checks. */
const RED: readonly RoundReason[] = ['ci_failure', 'test_failure', 'quality_gate'];

/**
 * Returns the warnings that newly appended events cause. If an issue fails its checks, every other
 * issue that was auto-merged shortly before gets a warning. The key ensures that each warning is
 * posted only once.
 */
export function findAutoMergeWarnings(
  state: LegionState,
  events: readonly Event[],
): Extract<Command, { kind: 'escalate' }>[] {
  return events.flatMap((event) => {
    if (event.type !== 'round.counted' || !RED.includes(event.reason)) return [];
    return [...state.issues.values()]
      .filter((record) => record.issue !== event.issue && isSuspect(record, event.at))
      .map((record) => buildAutoMergeWarning(record, event));
  });
}

function isSuspect({ merged }: IssueRecord, now: number): boolean {
  return merged?.auto === true && merged.undone === undefined && now - merged.at <= SUSPECT_MS;
}

function buildAutoMergeWarning(
  { issue, merged }: IssueRecord,
  event: Extract<Event, { type: 'round.counted' }>,
) {
  const text = [
    `${event.issue} failed its checks (${event.reason}) soon after this issue was merged automatically.`,
    `If this is the cause, \`legion rollback ${issue}\` opens a revert of ${merged?.mergedSha ?? 'the merge'}.`,
  ].join('\n');
  return { kind: 'escalate', issue, key: `${issue}:auto-merge-suspect:${event.issue}`, text } as const;
}
