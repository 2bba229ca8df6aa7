/**
 * Computes an issue's labels as the journal knows them: the tracker's labels plus changes not
 * written there yet.
 */
import type { Command } from '../model/command.ts';
import { applyLabelChange, type LabelChange } from '../model/label.ts';
import type { IssueRecord, LegionState } from './state.ts';

type WriteIssueCommand = Extract<Command, { kind: 'write_issue' }>;

/**
 * Also applies writes that were ordered but are not confirmed yet. The tracker may already show
 * such a write, so label changes that were owed before it must not reappear on an issue that has
 * moved.
 */
export function computeEffectiveLabels(
  tracker: readonly string[],
  state: LegionState,
  issue: string,
): Set<string> {
  const record = state.issues.get(issue);
  const labels = new Set(tracker);
  if (record === undefined || (record.owed.length === 0 && record.openIntents === 0)) return labels;
  return listUnwrittenChanges(state, record).reduce(applyLabelChange, labels);
}

function listUnwrittenChanges(state: LegionState, record: IssueRecord): readonly LabelChange[] {
  const writes = record.openIntents === 0 ? [] : listOpenWrites(state, record.issue);
  const covered = Math.max(0, ...writes.map(({ covers }) => covers));
  return [
    ...record.owed.filter(({ revision }) => revision <= covered),
    ...writes,
    ...record.owed.filter(({ revision }) => revision > covered),
  ];
}

function listOpenWrites(state: LegionState, issue: string): WriteIssueCommand[] {
  return [...state.intents.values()].flatMap(({ command }) =>
    command.kind === 'write_issue' && command.issue === issue ? [command] : [],
  );
}

/**
 * Returns the label changes that make the tracker show `wanted`. Labels that are not Legion's are
 * in both sets and never change.
 */
export function computeLabelChange(tracker: readonly string[], wanted: ReadonlySet<string>): LabelChange {
  const current = new Set(tracker);
  return {
    add: [...wanted].filter((label) => !current.has(label)) as LabelChange['add'][number][],
    remove: tracker.filter((label) => !wanted.has(label)) as LabelChange['remove'][number][],
  };
}
