/** `ci`: every check at the head of the pull request, and the end of the failing log. */
import type { CiStatus } from '../../../domain/pull-request.ts';
import { inTime } from '../../reports/read-outside.ts';
import { neededPullRequest } from '../needed.ts';
import type { Saying } from '../saying.ts';

export const ci: Saying<'ci'> = async (world, { issue }) => {
  const { number, headSha: sha, ci: status } = await neededPullRequest(world, issue);
  const { forge } = world.repositories.of(issue);
  const read = async (signal: AbortSignal) => ({
    checks: await forge.checks(sha, signal),
    failing: await forge.failingCheck(sha, signal),
  });
  const { checks, failing } = await inTime('forge.unavailable', read);
  return {
    number,
    sha,
    status,
    checks: checks.map((check) => ({ ...check })),
    failing: failing === undefined ? null : { name: failing.name, log: failing.logTail },
    says: SUMMARIES[status],
  };
};

const SUMMARIES: Readonly<Record<CiStatus, string>> = {
  passing: 'CI passes at the head of the pull request.',
  failing: 'CI fails at the head of the pull request.',
  pending: 'CI is still running. Do not wait in a loop: Legion calls the implementer back if it fails.',
  none: 'No check is configured for this pull request.',
  unknown: 'The result of CI is not known now: a check could not run, or the forge could not be read.',
};
