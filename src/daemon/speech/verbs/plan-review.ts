/** `plan_review`: whether the plan follows the architecture; the reasons become a comment, the verdict a label. */

import { readStatus } from '../../../core/model/status.ts';
import type { Label } from '../../../domain/label.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { issueOf } from '../../reports/read-outside.ts';
import { appendAs } from '../fence.ts';
import { commentKey } from '../message-key.ts';
import { notReady } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const planReview: Saying<'plan_review'> = async (world, who, { verdict, text }) => {
  const { issue: id } = who;
  const issue = await issueOf(world, id);
  if (readStatus(issue.column, world.settings().columns) !== 'Todo') {
    throw notReady(`${id} is in ${issue.column}: a plan is reviewed in Todo`);
  }
  if (!issue.labels.includes('architect-continuity')) {
    throw notReady(`${id} has no label architect-continuity, so nobody asked for a review of the plan`);
  }
  // Before the label: whoever acts on that finds the reasons already there.
  await world.tracker.comment(
    id,
    commentKey(who, undefined, `${verdict} ${text}`),
    `${OPENING[verdict]}\n\n${text}`,
  );
  const [add, remove] = MARKS[verdict];
  await appendAs(world, who, ({ swarm, record }) => {
    const labels = effectiveLabels(issue.labels, swarm, id);
    return labels.has(add) && !labels.has(remove)
      ? []
      : [{ type: 'labels.owed', issue: id, revision: record.lastOwed + 1, add: [add], remove: [remove] }];
  });
  world.wake(id);
  return { says: 'Your review of the plan is recorded. Report with `legion worker done`.' };
};

const MARKS: Readonly<Record<'approve' | 'request-changes', readonly [Label, Label]>> = {
  approve: ['arch-review-approved', 'arch-review-changes'],
  'request-changes': ['arch-review-changes', 'arch-review-approved'],
};

const OPENING = {
  approve: 'The architect approves the plan.',
  'request-changes': 'The architect asks for changes to the plan.',
} as const;
