/** Labels as they really stand: the tracker's, plus what the journal knows and has not written yet. */
import { applyLabelChange, type LabelChange } from '../domain/label.ts';
import type { IssueRecord } from './state.ts';

export function effectiveLabels(tracker: readonly string[], record: IssueRecord | undefined): Set<string> {
  let labels = new Set(tracker);
  for (const change of record?.owed ?? []) labels = applyLabelChange(labels, change);
  return labels;
}

/** What has to be written so that the tracker shows `wanted`; labels that are not Legion's are the same in both. */
export function labelsToWrite(tracker: readonly string[], wanted: ReadonlySet<string>): LabelChange {
  const shown = new Set(tracker);
  return {
    add: [...wanted].filter((label) => !shown.has(label)) as LabelChange['add'][number][],
    remove: tracker.filter((label) => !wanted.has(label)) as LabelChange['remove'][number][],
  };
}
