/** What of an issue waits for a person, by its labels, its questions and what was last decided about it. */
import type { Issue } from '../../../domain/issue.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { Swarm } from '../../../swarm/state.ts';
import { type OpenQuestion, openQuestions } from './open-questions.ts';

export function waitingOn(
  swarm: Swarm,
  { id, labels: written }: Pick<Issue, 'id' | 'labels'>,
): { readonly questions: readonly OpenQuestion[]; readonly kinds: readonly WaitingKind[] } {
  const record = swarm.issues.get(id);
  const labels = effectiveLabels(written, record);
  const questions = openQuestions(swarm, id, labels);
  return { questions, kinds: waitingKinds(labels, questions.length > 0, record?.decision?.reason) };
}

interface WaitingKind {
  readonly kind: InboxItem['kind'];
  /** Where nothing more is known. */
  readonly says: string;
  readonly next: (issue: string) => string;
}

function waitingKinds(
  labels: ReadonlySet<string>,
  isAsked: boolean,
  reason: string | undefined,
): WaitingKind[] {
  const waits = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  const kinds: [boolean, WaitingKind][] = [
    [
      labels.has('legion-paused'),
      { kind: 'paused', says: 'The issue is paused.', next: (id) => `legion resume ${id}` },
    ],
    [
      labels.has('needs-approval') && !labels.has('human-approved'),
      { kind: 'approval', says: 'An approval is due.', next: (id) => `legion approve ${id}` },
    ],
    [
      waits && !isAsked,
      { kind: 'escalation', says: 'It waits for a person’s word.', next: (id) => `legion answer ${id} "…"` },
    ],
    [
      reason === 'unclarified',
      {
        kind: 'clarification',
        says: 'It is not clear enough to work on.',
        next: (id) =>
          `legion issue show ${id}; then legion issue edit ${id}, or legion issue comment ${id} "…"`,
      },
    ],
    [
      reason === 'scripted_work',
      { kind: 'escalation', says: 'Scripted work is not merged.', next: (id) => `legion explain ${id}` },
    ],
    [
      reason === 'checkout_in_use',
      {
        kind: 'escalation',
        says: 'Uncommitted changes in your own checkout overlap with its merge.',
        next: (id) => `commit or stash these files; legion explain ${id}`,
      },
    ],
    [
      reason === 'waited_too_long',
      { kind: 'escalation', says: 'A check has not come to an end.', next: (id) => `legion explain ${id}` },
    ],
  ];
  return kinds.flatMap(([isSo, kind]) => (isSo ? [kind] : []));
}
