/** Which of the checks that the base's protection asks for a pull request's head does not have yet. */

import { decode } from '../../domain/decode.ts';
import type { LightPullRequest } from '../../integrations/github/forge/answer-schemas.ts';
import { moreChecks } from '../../integrations/github/forge/answer-schemas.ts';
import { MORE_CHECKS } from '../../integrations/github/forge/documents.ts';
import type { MoreChecksQuery } from '../../integrations/github/generated/forge.ts';
import { cursorCheck } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/result.ts';
import type { Desk } from './desk.ts';

type Contexts = Pick<NonNullable<LightPullRequest['statusCheckRollup']>['contexts'], 'nodes' | 'pageInfo'>;

export async function missingChecks(
  { client }: Pick<Desk, 'client'>,
  required: readonly string[],
  { id, statusCheckRollup }: Pick<LightPullRequest, 'id' | 'statusCheckRollup'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing = new Set(required);
  const cross = ({ nodes }: Contexts) => {
    for (const each of nodes ?? []) missing.delete(each?.name ?? each?.context ?? '');
  };
  const checked = cursorCheck();
  let page: Contexts | undefined = statusCheckRollup?.contexts;
  while (page !== undefined) {
    cross(page);
    if (missing.size === 0 || !page.pageInfo.hasNextPage) break;
    const variables = { id, after: checked(page.pageInfo.endCursor) };
    const { node } = await client.query<MoreChecksQuery>(MORE_CHECKS, variables, { signal });
    page = unwrap(decode(moreChecks, node, 'checks'))?.statusCheckRollup?.contexts;
  }
  return [...missing];
}
