/** The labels Legion reads and writes. It leaves all other labels on an issue alone. */

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

/**
 * Labels that replace a native review on the pull request. They are used if the forge refuses the
 * review because the reviewer has the same identity as the pull request's author.
 */
export const PULL_REQUEST_LABELS = ['worker-approved', 'worker-changes-requested'] as const;

const KNOWN_LABELS: ReadonlySet<string> = new Set(LABELS);

export function isLabel(name: string): name is Label {
  return KNOWN_LABELS.has(name);
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

/** Returns the part of a change that would actually alter `labels`. The rest need not be sent. */
export function filterLabelChange(labels: ReadonlySet<string>, change: LabelChange): LabelChange {
  return {
    add: change.add.filter((label) => !labels.has(label)),
    remove: change.remove.filter((label) => labels.has(label)),
  };
}

export interface LabelStyle {
  /** Six hexadecimal digits. */
  readonly color: string;
  /** At most a hundred characters, which every tracker accepts. */
  readonly description: string;
}

type LegionLabel = Label | (typeof PULL_REQUEST_LABELS)[number];

const LABEL_STYLES: Readonly<Record<LegionLabel, LabelStyle>> = {
  'worker-active': { color: '1d76db', description: 'Legion: a worker is running' },
  'worker-done': { color: '0e8a16', description: 'Legion: the phase is finished' },
  'user-input-needed': { color: 'd93f0b', description: 'Legion: waiting for a person’s answer' },
  'user-feedback-given': { color: 'fbca04', description: 'Legion: a person has answered' },
  'needs-approval': { color: 'd93f0b', description: 'Legion: waiting for a person’s approval' },
  'human-approved': { color: '0e8a16', description: 'Legion: a person has approved' },
  'test-passed': { color: '0e8a16', description: 'Legion: the tests have passed' },
  'test-failed': { color: 'b60205', description: 'Legion: the tests have failed' },
  'architect-continuity': { color: '5319e7', description: 'Legion: the architect is reviewing the plan' },
  'arch-review-approved': { color: '0e8a16', description: 'Legion: the architect agrees with the plan' },
  'arch-review-changes': { color: 'b60205', description: 'Legion: the architect wants the plan changed' },
  'auto-merged': { color: '5319e7', description: 'Legion: merged without a person' },
  rollback: { color: 'b60205', description: 'Legion: a revert of its merge was requested' },
  'legion-paused': { color: 'b60205', description: 'Legion: stopped until a person acts' },
  'worker-approved': { color: '0e8a16', description: 'Legion: its reviewer approves' },
  'worker-changes-requested': { color: 'b60205', description: 'Legion: its reviewer wants changes' },
};

const LEGION_LABELS: readonly LegionLabel[] = [...LABELS, ...PULL_REQUEST_LABELS];

/** The grey of labels without a configured colour. */
const DEFAULT_LABEL_STYLE: LabelStyle = { color: 'ededed', description: '' };

/** Returns the colour and description of a label that Legion creates. */
export function getLabelStyle(name: string): LabelStyle {
  const own = LEGION_LABELS.find((label) => label === name);
  return own === undefined ? DEFAULT_LABEL_STYLE : LABEL_STYLES[own];
}
