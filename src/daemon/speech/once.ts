/** The same message sent again, because no answer came back, gets the answer of the first and is not carried out twice. */

/** Answers kept. Tries of one message are seconds apart, and a few hundred workers say a few things in that time. */
const KEPT_MOST = 1_000;

export type Once = <T>(message: string, work: () => Promise<T>) => Promise<T>;

/** What failed may be tried again. After a restart each verb is idempotent by itself, as far as it can be. */
export function once(): Once {
  const answers = new Map<string, Promise<unknown>>();
  return <T>(message: string, work: () => Promise<T>): Promise<T> => {
    const known = answers.get(message);
    // Only ever called with the same verb for the same message, which is part of the key.
    if (known !== undefined) return known as Promise<T>;
    const answer = work();
    answers.set(message, answer);
    answer.catch(() => answers.delete(message));
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT_MOST) break;
      answers.delete(oldest);
    }
    return answer;
  };
}
