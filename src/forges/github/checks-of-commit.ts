/** Reads the checks of a commit, page by page. */

import { decode } from '../../domain/decode.ts';
import { cursorCheck } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/unwrap.ts';
import { checkAnswer, checksPage } from './answer-schemas.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { CHECKS_OF_COMMIT } from './read-documents.ts';

export interface CheckAnswer {
  readonly __typename: string;
  readonly databaseId?: number | null | undefined;
  readonly name?: string | undefined;
  readonly conclusion?: string | null | undefined;
  readonly detailsUrl?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly context?: string | undefined;
  readonly state?: string | undefined;
  readonly description?: string | null | undefined;
  readonly targetUrl?: string | null | undefined;
}

interface Answer {
  readonly object: { readonly statusCheckRollup?: { readonly contexts: unknown } | null } | null;
}

/** Stop iterating to stop reading: the next page is asked for only when the one before is used up. */
export async function* checksOfCommit(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
): AsyncGenerator<CheckAnswer> {
  let after: string | null = null;
  const checked = cursorCheck();
  for (;;) {
    const variables: { sha: string; after: string | null } = { sha, after };
    const { object } = await askRepository<Answer>(desk, CHECKS_OF_COMMIT, variables, signal);
    if ((object?.statusCheckRollup ?? null) === null) return;
    const { nodes, pageInfo } = unwrap(decode(checksPage, object?.statusCheckRollup?.contexts, 'checks'));
    for (const check of nodes ?? []) if (check !== null) yield readCheck(check);
    if (!pageInfo.hasNextPage) return;
    after = checked(pageInfo.endCursor);
  }
}

/** A malformed one is shown as one that could not run, with what is wrong with it. */
function readCheck(raw: unknown): CheckAnswer {
  const read = decode(checkAnswer, raw, 'check');
  return read.ok
    ? read.value
    : {
        __typename: 'StatusContext',
        context: 'malformed check',
        state: 'ERROR',
        description: read.fault.message,
      };
}
