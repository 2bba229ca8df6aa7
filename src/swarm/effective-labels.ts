/** An issue's labels as the journal knows them: the tracker's, and what is not written there yet. */
import type { Command } from '../core/model/command.ts';
import type { IssueRecord, Swarm } from '../core/state/state.ts';
import { applyLabelChange, type LabelChange } from '../domain/label.ts';

type WriteIssue = Extract<Command, { kind: 'write_issue' }>;

/**
 * Includes a write that has been ordered and not confirmed. The tracker may show it already: the labels
 * that were owed before it must not reappear on an issue that has moved.
 */
export function effectiveLabels(tracker: readonly string[], swarm: Swarm, issue: string): Set<string> {
  const record = swarm.issues.get(issue);
  const labels = new Set(tracker);
  if (record === undefined || (record.owed.length === 0 && record.openIntents === 0)) return labels;
  return changesAfterTracker(swarm, record).reduce(applyLabelChange, labels);
}

function changesAfterTracker(swarm: Swarm, record: IssueRecord): readonly LabelChange[] {
  const writes = record.openIntents === 0 ? [] : openWrites(swarm, record.issue);
  const covered = Math.max(0, ...writes.map(({ covers }) => covers));
  return [
    ...record.owed.filter(({ revision }) => revision <= covered),
    ...writes,
    ...record.owed.filter(({ revision }) => revision > covered),
  ];
}

function openWrites(swarm: Swarm, issue: string): WriteIssue[] {
  return [...swarm.intents.values()].flatMap(({ command }) =>
    command.kind === 'write_issue' && command.issue === issue ? [command] : [],
  );
}

/** What has to be written so that the tracker shows `wanted`; labels that are not Legion's are the same in both. */
export function labelsToWrite(tracker: readonly string[], wanted: ReadonlySet<string>): LabelChange {
  const shown = new Set(tracker);
  return {
    add: [...wanted].filter((label) => !shown.has(label)) as LabelChange['add'][number][],
    remove: tracker.filter((label) => !wanted.has(label)) as LabelChange['remove'][number][],
  };
}
