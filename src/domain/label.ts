/** The labels Legion reads and writes; every other label on an issue is left alone. */

export const LABELS = [
  'worker-active',
  'worker-done',
  'user-input-needed',
  'user-feedback-given',
  'needs-approval',
  'human-approved',
  'test-passed',
  'test-failed',
  'architect-continuity',
  'arch-review-approved',
  'arch-review-changes',
  'auto-merged',
  'rollback',
  'legion-paused',
] as const;

export type Label = (typeof LABELS)[number];

/** Put on the pull request where the forge takes no native review from the same identity. */
export const PULL_REQUEST_LABELS = ['worker-approved', 'worker-changes-requested'] as const;

const KNOWN: ReadonlySet<string> = new Set(LABELS);

export function isLabel(name: string): name is Label {
  return KNOWN.has(name);
}

/** One batched change of an issue's labels. A label is never in both lists. */
export interface LabelChange {
  readonly add: readonly Label[];
  readonly remove: readonly Label[];
}

export function applyLabelChange(labels: ReadonlySet<string>, change: LabelChange): Set<string> {
  const result = new Set(labels);
  for (const label of change.remove) result.delete(label);
  for (const label of change.add) result.add(label);
  return result;
}

/** What is left of a change that would really alter `labels`; the rest need not be sent. */
export function neededLabelChange(labels: ReadonlySet<string>, change: LabelChange): LabelChange {
  return {
    add: change.add.filter((label) => !labels.has(label)),
    remove: change.remove.filter((label) => labels.has(label)),
  };
}
