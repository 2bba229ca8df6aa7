/**
 * Creates objects in Linear idempotently: if an object with the chosen id exists, it is treated as
 * created. Also checks the keys and texts that Legion sends.
 */
import { LegionError } from '../../../core/model/fault.ts';
import { requireWellFormed, trimToLength } from '../../tracker-support/issue-input.ts';
import type { LinearClient, LinearVariables } from '../client/client.ts';

/** The result of every mutation in a document. */
export type MutationOutcomes = Readonly<Record<string, { readonly success: boolean }>>;

/** Throws if any mutation did not succeed. */
export async function runMutation<T extends MutationOutcomes>(
  client: LinearClient,
  document: string,
  variables: LinearVariables,
): Promise<T> {
  const answer = await client.mutate<T>(document, variables);
  if (Object.values(answer).some(({ success }) => !success))
    throw new LegionError('linear.refused', 'Linear did not apply the change and gave no reason');
  return answer;
}

/**
 * Ignores a refusal if the object exists: another daemon, or a request whose response was lost, may
 * have created it.
 */
export async function createUnlessPresent(
  create: () => Promise<unknown>,
  exists: () => Promise<boolean>,
): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isRefusal(error) || !(await exists())) throw error;
  }
}

export function isRefusal(error: unknown): boolean {
  return error instanceof LegionError && error.code === 'linear.refused';
}

/**
 * Maximum length in characters. Equals the other trackers' limit, so that an issue can move between
 * them.
 */
const TITLE_MAX = 256;
/** Maximum length in characters. Equals GitHub's limit, because Linear documents none. */
const TEXT_MAX = 65_536;

/** Throws for a key that is empty or not well-formed. */
export function requireKey(key: string): string {
  if (!key.isWellFormed() || key === '')
    throw new LegionError('input.invalid', 'key: is empty or contains a lone surrogate');
  return key;
}

export function requireTitle(title: string): string {
  requireWellFormed(title);
  if (title.trim() === '' || title.length > TITLE_MAX)
    throw new LegionError('input.invalid', `title: is empty or longer than ${TITLE_MAX} characters`);
  return title;
}

export function prepareText(text: string): string {
  requireWellFormed(text);
  return trimToLength(text, TEXT_MAX, 'Linear');
}
