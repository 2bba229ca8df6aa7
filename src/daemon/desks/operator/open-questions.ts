/** Questions that still wait for an answer. */
import { type IssueId, workerId } from '../../../core/model/ids.ts';
import type { Swarm } from '../../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../../domain/lifecycle.ts';
import type { Mode } from '../../../domain/mode.ts';

export interface OpenQuestion {
  readonly question: number;
  readonly mode: Mode;
  readonly text: string;
  readonly askedAt: number;
}

/**
 * Unanswered, and its worker still waits for it: in the life that asked, or in a later one that asked the same again. Where
 * the worker is gone and the issue still waits for a person, the last question is what it waits for. Oldest first.
 */
export function openQuestions(swarm: Swarm, issue: IssueId, labels: ReadonlySet<string>): OpenQuestion[] {
  const record = swarm.issues.get(issue);
  const waits = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  return Object.entries(record?.questions ?? {}).flatMap(([number, asked]) => {
    const { mode, attempt, text, askedAt, answer } = asked;
    const question = Number(number);
    const isLast = waits && question === record?.lastQuestion;
    const isOpen = answer === undefined && (isLast || isWaitedFor(swarm, issue, mode, attempt));
    return isOpen ? [{ question, mode, text, askedAt }] : [];
  });
}

function isWaitedFor(swarm: Swarm, issue: IssueId, mode: Mode, attempt: number): boolean {
  const worker = swarm.workers.get(workerId(issue, mode));
  if (worker === undefined) return false;
  const state = lifecycleOf(worker.facts);
  return state === 'waiting-user' || (worker.attempt === attempt && !hasEnded(state));
}
