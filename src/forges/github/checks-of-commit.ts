/** Reads the checks of a commit, page by page. */

import type { z } from 'zod';
import { decode } from '../../domain/decode.ts';
import { checkAnswer, checksPage } from '../../integrations/github/forge/answer-schemas.ts';
import { CHECKS_OF_COMMIT } from '../../integrations/github/forge/documents.ts';
import type { ChecksOfCommitQuery } from '../../integrations/github/generated/forge.ts';
import { cursorCheck } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/result.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';

export type CheckRecord = z.output<typeof checkAnswer>;

/** Stop iterating to stop reading: the next page is asked for only when the one before is used up. */
export async function* checksOfCommit(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
): AsyncGenerator<CheckRecord> {
  let after: string | null = null;
  const checked = cursorCheck();
  for (;;) {
    const variables: { sha: string; after: string | null } = { sha, after };
    const { object } = await askRepository<ChecksOfCommitQuery>(desk, CHECKS_OF_COMMIT, variables, signal);
    if ((object?.statusCheckRollup ?? null) === null) return;
    const { nodes, pageInfo } = unwrap(decode(checksPage, object?.statusCheckRollup?.contexts, 'checks'));
    for (const check of nodes ?? []) if (check !== null) yield readCheck(check);
    if (!pageInfo.hasNextPage) return;
    after = checked(pageInfo.endCursor);
  }
}

/** A malformed one is shown as one that could not run, with what is wrong with it. */
function readCheck(raw: unknown): CheckRecord {
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
