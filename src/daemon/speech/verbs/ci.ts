/** `ci`: every check at the head of the pull request, and the ends of the logs of those that do not pass. */
import { MAX_LOG_LINES } from '../../../protocol/ci.ts';
import { readChecks } from '../../ci/read-checks.ts';
import { CI_SUMMARIES } from '../../ci/summaries.ts';
import { neededPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const ci: Saying<'ci'> = async (world, { issue }) => {
  const { number, headSha: sha, ci: status } = await neededPullRequest(world, issue);
  const { forge } = world.repositories.of(issue);
  // A passing log would only fill the worker's context.
  const checks = await readChecks(forge, sha, { lines: MAX_LOG_LINES, logsOf: 'not_passing' });
  return { number, sha, status, checks, says: `${CI_SUMMARIES[status]}${ADVICE[status] ?? ''}` };
};

const ADVICE: Readonly<Partial<Record<string, string>>> = {
  pending: ' Do not wait in a loop: Legion calls the implementer back if it fails.',
};
