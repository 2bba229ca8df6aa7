/** Reads the checks of a commit, page by page. */
import type { Page } from '../../asking/pages.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { CHECKS_OF_COMMIT } from './read-documents.ts';

export interface CheckAnswer {
  readonly __typename: string;
  readonly databaseId?: number | null;
  readonly name?: string;
  readonly conclusion?: string | null;
  readonly detailsUrl?: string | null;
  readonly title?: string | null;
  readonly summary?: string | null;
  readonly text?: string | null;
  readonly context?: string;
  readonly state?: string;
  readonly description?: string | null;
  readonly targetUrl?: string | null;
}

interface Answer {
  readonly object: {
    readonly statusCheckRollup?: { readonly contexts: Page<CheckAnswer | null> } | null;
  } | null;
}

/** Stop iterating to stop reading: the next page is asked for only when the one before is used up. */
export async function* checksOfCommit(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
): AsyncGenerator<CheckAnswer> {
  let after: string | null = null;
  for (;;) {
    const variables: { sha: string; after: string | null } = { sha, after };
    const { object } = await askRepository<Answer>(desk, CHECKS_OF_COMMIT, variables, signal);
    const contexts = object?.statusCheckRollup?.contexts;
    for (const check of contexts?.nodes ?? []) if (check !== null) yield check;
    if (contexts?.pageInfo.hasNextPage !== true) return;
    after = contexts.pageInfo.endCursor;
  }
}
