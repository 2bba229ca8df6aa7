/** Does what must not be done twice, although the answer to it may get lost: looks first, acts, and looks again. */
import { mayHaveHappened } from '../../github/may-have-happened.ts';

/** `look` finds what is done already; `act` does it. Undefined from both means that there is nothing to find. */
export async function once<T>(look: () => Promise<T | undefined>, act: () => Promise<T>): Promise<T> {
  const before = await look();
  if (before !== undefined) return before;
  try {
    return await act();
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    const after = await look();
    if (after === undefined) throw error;
    return after;
  }
}
