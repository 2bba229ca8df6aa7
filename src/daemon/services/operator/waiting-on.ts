/**
 * Determines why an issue is waiting for a person, from its labels, its questions and the decision
 * about it.
 */
import type { Decision } from '../../../core/model/action.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import { explainWait, isStopCause, type WaitExplanation } from '../../../core/state/explain-wait.ts';
import { findDecisionWithoutHold, listOpenQuestions, type OpenQuestion } from '../../../core/state/issues.ts';
import type { LegionState, WaitCause } from '../../../core/state/state.ts';
import type { InboxItem } from '../../../protocol/operator.ts';

type WaitDecision = Pick<Decision, 'reason' | 'mode' | 'evidence'>;

/**
 * Finds what the issue needs from a person. Ignores holds of the whole legion. `decision` defaults
 * to the one in the journal; pass a newer one if the issue was evaluated since.
 */
export function findPersonWaits(
  state: LegionState,
  { id, labels: written }: Pick<Issue, 'id' | 'labels'>,
  decision: WaitDecision | undefined = findDecisionWithoutHold(state.issues.get(id)),
): { readonly questions: readonly OpenQuestion[]; readonly kinds: readonly WaitingKind[] } {
  const record = state.issues.get(id);
  const labels = computeEffectiveLabels(written, state, id);
  const questions = listOpenQuestions(state, id, labels);
  const explain: WaitExplainer = (reason) => explainKnown(state, id, record?.cause, decision, reason);
  const isRejected = record?.rejection?.ordered === false;
  const kinds = listWaitingKinds(labels, questions.length > 0, decision?.reason, isRejected, explain);
  return { questions, kinds };
}

type WaitExplainer = (
  reason: 'paused' | 'waits_for_answer' | 'approval' | 'decision',
) => WaitExplanation | undefined;

/** Explains a wait in detail. Undefined if no details are known about it. */
function explainKnown(
  state: LegionState,
  id: IssueId,
  cause: WaitCause | undefined,
  decision: WaitDecision | undefined,
  by: Parameters<WaitExplainer>[0],
): WaitExplanation | undefined {
  if (by === 'decision') return decision && explainWait(state, id, decision);
  if (by === 'approval') {
    const { mode = 'implement', evidence = [] } = decision ?? {};
    return explainWait(state, id, { reason: 'waits_for_approval', mode, evidence });
  }
  if (by === 'waits_for_answer' && !isStopCause(cause)) return undefined;
  return explainWait(state, id, { reason: by, mode: decision?.mode ?? 'implement', evidence: [] });
}

interface WaitingKind {
  readonly kind: InboxItem['kind'];
  /** Text to show if no details are known. */
  readonly message: string;
  readonly explained: WaitExplanation | undefined;
  readonly next: (issue: string) => string;
}

function listWaitingKinds(
  labels: ReadonlySet<string>,
  isAsked: boolean,
  reason: string | undefined,
  isRejected: boolean,
  explain: WaitExplainer,
): WaitingKind[] {
  const waits = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  // Each explanation is computed only when needed, because most issues are not waiting for a
  // person.
  const kinds: [boolean, () => WaitingKind][] = [
    [
      labels.has('legion-paused'),
      () => ({
        kind: 'paused',
        message: 'The issue is paused.',
        explained: explain('paused'),
        next: (id) => `legion resume ${id}`,
      }),
    ],
    [
      labels.has('needs-approval') && !labels.has('human-approved') && !isRejected,
      () => ({
        kind: 'approval',
        message: 'An approval is due.',
        explained: explain('approval'),
        next: (id) => `legion approve ${id}`,
      }),
    ],
    [
      waits && !isAsked,
      () => ({
        kind: 'escalation',
        message: 'It is waiting for a person.',
        explained: explain('waits_for_answer'),
        next: (id) => `legion answer ${id} "…"`,
      }),
    ],
    [
      reason === 'unclarified',
      () => ({
        kind: 'clarification',
        message: 'It is not clear enough to work on.',
        explained: explain('decision'),
        next: (id) =>
          `legion issue show ${id}; then legion issue comment ${id} "…", or legion issue edit ${id} --body "…"`,
      }),
    ],
    [
      reason === 'scripted_work',
      () => ({
        kind: 'escalation',
        message: 'Scripted work is not merged.',
        explained: explain('decision'),
        next: (id) => `legion explain ${id}`,
      }),
    ],
    [
      reason === 'checkout_in_use',
      () => ({
        kind: 'escalation',
        message: 'Uncommitted changes in your own checkout overlap with its merge.',
        explained: explain('decision'),
        next: (id) => `commit or stash these files; legion explain ${id}`,
      }),
    ],
    [
      reason === 'ci_interrupted',
      () => ({
        kind: 'escalation',
        message: 'A CI check was cancelled or reached no verdict.',
        explained: explain('decision'),
        next: (id) => `run the check again; legion ci ${id}`,
      }),
    ],
    [
      reason === 'ci_action_required',
      () => ({
        kind: 'escalation',
        message: 'A CI check needs your action.',
        explained: explain('decision'),
        next: (id) => `do what the check asks; legion ci ${id}`,
      }),
    ],
    [
      reason === 'waited_too_long',
      () => ({
        kind: 'escalation',
        message: 'A check has not finished.',
        explained: explain('decision'),
        next: (id) => `legion explain ${id} --details`,
      }),
    ],
  ];
  return kinds.flatMap(([isSo, make]) => (isSo ? [make()] : []));
}
