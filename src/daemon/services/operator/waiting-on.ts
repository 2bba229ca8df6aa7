/** What of an issue waits for a person, by its labels, its questions and the decision about it. */

import type { IssueId } from '../../../core/model/ids.ts';
import { decisionWithoutHold } from '../../../core/state/evolve/issue.ts';
import type { Swarm, WaitCause } from '../../../core/state/state.ts';
import type { Decision } from '../../../domain/decision.ts';
import type { Issue } from '../../../domain/issue.ts';
import type { InboxItem } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { explainWait, isStopCause, type WaitExplanation } from '../../../swarm/explain-wait.ts';
import { type OpenQuestion, openQuestions } from '../../desks/operator/open-questions.ts';

type Decided = Pick<Decision, 'reason' | 'mode' | 'evidence'>;

/** `decision`: the one in the journal, unless the issue was evaluated since; without a hold of the legion. */
export function waitingOn(
  swarm: Swarm,
  { id, labels: written }: Pick<Issue, 'id' | 'labels'>,
  decision: Decided | undefined = decisionWithoutHold(swarm.issues.get(id)),
): { readonly questions: readonly OpenQuestion[]; readonly kinds: readonly WaitingKind[] } {
  const record = swarm.issues.get(id);
  const labels = effectiveLabels(written, swarm, id);
  const questions = openQuestions(swarm, id, labels);
  const explain: Explain = (reason) => explainKnown(swarm, id, record?.cause, decision, reason);
  const kinds = waitingKinds(labels, questions.length > 0, decision?.reason, explain);
  return { questions, kinds };
}

type Explain = (
  reason: 'paused' | 'waits_for_answer' | 'approval' | 'decision',
) => WaitExplanation | undefined;

/** Undefined where nothing more is known. */
function explainKnown(
  swarm: Swarm,
  id: IssueId,
  cause: WaitCause | undefined,
  decision: Decided | undefined,
  by: Parameters<Explain>[0],
): WaitExplanation | undefined {
  if (by === 'decision') return decision && explainWait(swarm, id, decision);
  if (by === 'approval') {
    const { mode = 'implement', evidence = [] } = decision ?? {};
    return explainWait(swarm, id, { reason: 'waits_for_approval', mode, evidence });
  }
  if (by === 'waits_for_answer' && !isStopCause(cause)) return undefined;
  return explainWait(swarm, id, { reason: by, mode: decision?.mode ?? 'implement', evidence: [] });
}

interface WaitingKind {
  readonly kind: InboxItem['kind'];
  /** Where nothing more is known. */
  readonly says: string;
  readonly explained: WaitExplanation | undefined;
  readonly next: (issue: string) => string;
}

function waitingKinds(
  labels: ReadonlySet<string>,
  isAsked: boolean,
  reason: string | undefined,
  explain: Explain,
): WaitingKind[] {
  const waits = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  // Explained only where it is so: most issues wait for nobody.
  const kinds: [boolean, () => WaitingKind][] = [
    [
      labels.has('legion-paused'),
      () => ({
        kind: 'paused',
        says: 'The issue is paused.',
        explained: explain('paused'),
        next: (id) => `legion resume ${id}`,
      }),
    ],
    [
      labels.has('needs-approval') && !labels.has('human-approved'),
      () => ({
        kind: 'approval',
        says: 'An approval is due.',
        explained: explain('approval'),
        next: (id) => `legion approve ${id}`,
      }),
    ],
    [
      waits && !isAsked,
      () => ({
        kind: 'escalation',
        says: 'It waits for a person’s word.',
        explained: explain('waits_for_answer'),
        next: (id) => `legion answer ${id} "…"`,
      }),
    ],
    [
      reason === 'unclarified',
      () => ({
        kind: 'clarification',
        says: 'It is not clear enough to work on.',
        explained: explain('decision'),
        next: (id) =>
          `legion issue show ${id}; then legion issue comment ${id} "…", or legion issue edit ${id} --body "…"`,
      }),
    ],
    [
      reason === 'scripted_work',
      () => ({
        kind: 'escalation',
        says: 'Scripted work is not merged.',
        explained: explain('decision'),
        next: (id) => `legion explain ${id}`,
      }),
    ],
    [
      reason === 'checkout_in_use',
      () => ({
        kind: 'escalation',
        says: 'Uncommitted changes in your own checkout overlap with its merge.',
        explained: explain('decision'),
        next: (id) => `commit or stash these files; legion explain ${id}`,
      }),
    ],
    [
      reason === 'waited_too_long',
      () => ({
        kind: 'escalation',
        says: 'A check has not come to an end.',
        explained: explain('decision'),
        next: (id) => `legion explain ${id} --details`,
      }),
    ],
  ];
  return kinds.flatMap(([isSo, make]) => (isSo ? [make()] : []));
}
