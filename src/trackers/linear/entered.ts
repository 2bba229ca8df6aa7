/** Since when an issue is in its state. */
import type { LinearIssue } from './linear-issue.ts';

/**
 * By Linear's own history of its states, which comes with each issue. Where that does not have the state it is in, as of issues older
 * than the history, the time of the last change of its kind of state; nothing is remembered here, so that everybody says the same.
 */
export function enteredAt(answer: LinearIssue): number {
  const { state, oneEnd, otherEnd, createdAt, startedAt, completedAt, canceledAt } = answer;
  const spans = [...oneEnd.nodes, ...otherEnd.nodes];
  const present = spans.find(({ stateId, endedAt }) => stateId === state.id && endedAt === null);
  const byType: Readonly<Record<string, string | null>> = {
    started: startedAt,
    completed: completedAt,
    canceled: canceledAt,
    duplicate: canceledAt,
  };
  const ofType = Object.hasOwn(byType, state.type) ? byType[state.type] : undefined;
  return firstMoment(present?.startedAt, ofType, createdAt);
}

/** The first of these that is a time; the beginning of all where none is. */
export function firstMoment(...texts: readonly (string | null | undefined)[]): number {
  return texts.map((text) => Date.parse(text ?? '')).find((time) => !Number.isNaN(time)) ?? 0;
}
