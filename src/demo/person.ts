/**
 * Determines what the demo's person has to do now. The demo plays this person, who sits in front of
 * the board.
 */
import type { DemoHistory } from './history.ts';
import type { NumberedStory } from './stories.ts';

/** Name of the demo's person in the journal and in comments. */
export const PERSON = 'you, played by the demo';

/** Used if a real agent asks a question that no story foresees. */
const DEFAULT_ANSWER =
  'Decide it yourself, based on the issue and the code, and write down what you decided.';

export type PersonAction = { readonly issue: string } & (
  | { readonly kind: 'clarify'; readonly text: string }
  | { readonly kind: 'answer'; readonly question: number; readonly text: string }
  | { readonly kind: 'approve'; readonly intent: number }
);

/**
 * Returns every action that is due, even if it was already started. `formatActionKey` returns a key
 * that identifies each action.
 */
export function listDueActions(
  history: DemoHistory,
  stories: readonly NumberedStory[],
): readonly PersonAction[] {
  return stories.flatMap(({ id, clarification, answer }): PersonAction[] => {
    const { status, questions, approval } = history.getIssue(id);
    const open = questions.filter(({ answered }) => !answered);
    return [
      ...(status === 'Icebox' && clarification !== undefined
        ? [{ kind: 'clarify', issue: id, text: clarification } as const]
        : []),
      ...open.map(
        ({ number }) =>
          ({ kind: 'answer', issue: id, question: number, text: answer ?? DEFAULT_ANSWER }) as const,
      ),
      ...(approval === undefined ? [] : [{ kind: 'approve', issue: id, intent: approval } as const]),
    ];
  });
}

/** Returns the same key for the same action on every call. */
export function formatActionKey(action: PersonAction): string {
  const target = action.kind === 'answer' ? action.question : action.kind === 'approve' ? action.intent : '';
  return `${action.issue} ${action.kind} ${target}`;
}

export function describePersonAction(action: PersonAction): string {
  switch (action.kind) {
    case 'clarify':
      return `clarify it in a comment: ${action.text}`;
    case 'answer':
      return `answer: ${action.text}`;
    case 'approve':
      return 'approve the merge';
  }
}
