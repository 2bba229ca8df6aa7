/** Making something on Linear under an id of its own: whoever finds it there has made it. */
import { LegionError } from '../../core/model/fault.ts';
import type { LinearClient, Variables } from '../../linear/client.ts';

/** What every mutation of a document says. */
export type Done = Readonly<Record<string, { readonly success: boolean }>>;

/** None that has not been done is taken for done. */
export async function mutate<T extends Done>(
  client: LinearClient,
  document: string,
  variables: Variables,
): Promise<T> {
  const answer = await client.mutate<T>(document, variables);
  if (Object.values(answer).some(({ success }) => !success))
    throw new LegionError('linear.refused', 'Linear has not done what was asked, and does not say why');
  return answer;
}

/** A refusal may be because it is there already, made by another daemon or by a request whose answer was lost. */
export async function unlessThere(
  make: () => Promise<unknown>,
  isThere: () => Promise<boolean>,
): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!isRefusal(error) || !(await isThere())) throw error;
  }
}

export function isRefusal(error: unknown): boolean {
  return error instanceof LegionError && error.code === 'linear.refused';
}
