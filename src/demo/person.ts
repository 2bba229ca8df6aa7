/** The person in front of the board, played by the demo: what there is to do for it at this moment. */
import type { Chronicle } from './history.ts';
import type { NumberedStory } from './stories.ts';

/** As the journal and the comments will name it. */
export const PERSON = 'you, played by the demo';

/** A real agent may ask what no story foresees. */
const UNFORESEEN = 'Decide it yourself, as the issue and the code suggest, and write down what you decided.';

export type Act = { readonly issue: string } & (
  | { readonly kind: 'clarify'; readonly text: string }
  | { readonly kind: 'answer'; readonly question: number; readonly text: string }
  | { readonly kind: 'approve'; readonly intent: number }
);

/** All that is due, whether or not it was begun already; `nameOf` tells one from another. */
export function actsDue(chronicle: Chronicle, stories: readonly NumberedStory[]): readonly Act[] {
  return stories.flatMap(({ id, clarification, answer }): Act[] => {
    const { status, questions, approval } = chronicle.of(id);
    const open = questions.filter(({ answered }) => !answered);
    return [
      ...(status === 'Icebox' && clarification !== undefined
        ? [{ kind: 'clarify', issue: id, text: clarification } as const]
        : []),
      ...open.map(
        ({ number }) =>
          ({ kind: 'answer', issue: id, question: number, text: answer ?? UNFORESEEN }) as const,
      ),
      ...(approval === undefined ? [] : [{ kind: 'approve', issue: id, intent: approval } as const]),
    ];
  });
}

/** The same for the same thing to do, however often it is looked at. */
export function nameOf(act: Act): string {
  const which = act.kind === 'answer' ? act.question : act.kind === 'approve' ? act.intent : '';
  return `${act.issue} ${act.kind} ${which}`;
}

export function actInWords(act: Act): string {
  switch (act.kind) {
    case 'clarify':
      return `clarify it in a comment: ${act.text}`;
    case 'answer':
      return `answer: ${act.text}`;
    case 'approve':
      return 'approve the merge';
  }
}
