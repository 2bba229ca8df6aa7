/** How Legion's labels look where it has to make them. */
import { LABELS, type Label, PULL_REQUEST_LABELS } from '../../domain/label.ts';

export interface LabelLook {
  /** Six hexadecimal digits. */
  readonly color: string;
  /** At most a hundred characters, which every tracker takes. */
  readonly description: string;
}

type OwnLabel = Label | (typeof PULL_REQUEST_LABELS)[number];

const LOOKS: Readonly<Record<OwnLabel, LabelLook>> = {
  'worker-active': { color: '1d76db', description: 'Legion: a worker is at it' },
  'worker-done': { color: '0e8a16', description: 'Legion: the phase is finished' },
  'user-input-needed': { color: 'd93f0b', description: 'Legion: waits for a person’s answer' },
  'user-feedback-given': { color: 'fbca04', description: 'Legion: a person has answered' },
  'needs-approval': { color: 'd93f0b', description: 'Legion: waits for a person’s approval' },
  'human-approved': { color: '0e8a16', description: 'Legion: a person has approved' },
  'test-passed': { color: '0e8a16', description: 'Legion: the tests have passed' },
  'test-failed': { color: 'b60205', description: 'Legion: the tests have failed' },
  'architect-continuity': { color: '5319e7', description: 'Legion: the architect reviews the plan' },
  'arch-review-approved': { color: '0e8a16', description: 'Legion: the architect agrees with the plan' },
  'arch-review-changes': { color: 'b60205', description: 'Legion: the architect wants the plan changed' },
  'auto-merged': { color: '5319e7', description: 'Legion: merged without a person' },
  rollback: { color: 'b60205', description: 'Legion: a revert of its merge was requested' },
  'legion-paused': { color: 'b60205', description: 'Legion: stopped until a person acts' },
  'worker-approved': { color: '0e8a16', description: 'Legion: its reviewer approves' },
  'worker-changes-requested': { color: 'b60205', description: 'Legion: its reviewer wants changes' },
};

const OWN: readonly OwnLabel[] = [...LABELS, ...PULL_REQUEST_LABELS];

/** The grey of labels that nobody has given a colour. */
const PLAIN: LabelLook = { color: 'ededed', description: '' };

export function labelLook(name: string): LabelLook {
  const own = OWN.find((label) => label === name);
  return own === undefined ? PLAIN : LOOKS[own];
}
