/** A question of OpenCode's own tool, as a person reads it in the inbox. */
import type { QuestionAsked } from './events.ts';

/** Characters that `ask` takes; the rest is cut, because a question nobody gets is worse. */
const QUESTION_MOST = 10_000;

export function questionText({ questions }: QuestionAsked): string {
  const text = questions.map(({ question, options }) => [question, ...options.map(optionLine)].join('\n'));
  return text.join('\n\n').slice(0, QUESTION_MOST);
}

function optionLine({ label, description }: QuestionAsked['questions'][number]['options'][number]): string {
  return description === undefined || description === '' ? `- ${label}` : `- ${label}: ${description}`;
}
