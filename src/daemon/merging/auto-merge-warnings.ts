/** Warns on an issue that was merged without a person when the next work on the repository fails its checks soon after. */
import type { Command } from '../../core/model/command.ts';
import type { Event } from '../../core/model/event.ts';
import type { IssueRecord, Swarm } from '../../core/state/state.ts';
import type { RoundReason } from '../../domain/rounds.ts';

/** How long a merge is suspected: specification. */
const SUSPECT_MS = 30 * 60_000;

/** Rounds that mean "the checks are red". */
const RED: readonly RoundReason[] = ['ci_failure', 'test_failure', 'quality_gate'];

/** What has to be said about events that were just taken in; each warning is one comment by its key. */
export function warningsAfter(
  swarm: Swarm,
  events: readonly Event[],
): Extract<Command, { kind: 'escalate' }>[] {
  return events.flatMap((event) => {
    if (event.type !== 'round.counted' || !RED.includes(event.reason)) return [];
    return [...swarm.issues.values()]
      .filter((record) => record.issue !== event.issue && isSuspect(record, event.at))
      .map((record) => warning(record, event));
  });
}

function isSuspect({ merged }: IssueRecord, now: number): boolean {
  return merged?.auto === true && merged.undone === undefined && now - merged.at <= SUSPECT_MS;
}

function warning({ issue, merged }: IssueRecord, event: Extract<Event, { type: 'round.counted' }>) {
  const text = [
    `${event.issue} has failed its checks (${event.reason}) soon after this was merged without a person.`,
    `If this is the cause, \`legion rollback ${issue}\` opens a revert of ${merged?.mergedSha ?? 'the merge'}.`,
  ].join('\n');
  return { kind: 'escalate', issue, key: `${issue}:auto-merge-suspect:${event.issue}`, text } as const;
}
