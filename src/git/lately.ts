/** Remembers the latest answers to questions whose answers never change, such as the difference between two commits. */

/** A thousand pull requests fit; each answer is mostly a list of paths. */
const MOST_REMEMBERED = 1_000;

/** Only answers are kept: whoever asks while another does asks too, because the other may be interrupted. */
export function lately<T>(): (question: string, ask: () => Promise<T>) => Promise<T> {
  const answers = new Map<string, { readonly value: T }>();
  return async (question, ask) => {
    const answer = answers.get(question) ?? { value: await ask() };
    answers.delete(question);
    answers.set(question, answer); // at the end: the first of a map is the one asked for longest ago
    const [oldest] = answers.keys();
    if (answers.size > MOST_REMEMBERED && oldest !== undefined) answers.delete(oldest);
    return answer.value;
  };
}
