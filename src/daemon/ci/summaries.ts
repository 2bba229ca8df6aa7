/** The state of CI in a sentence. */
import type { CiStatus } from '../../core/model/pull-request.ts';

export const CI_SUMMARIES: Readonly<Record<CiStatus, string>> = {
  passing: 'CI passes at the head of the pull request.',
  failing: 'CI fails at the head of the pull request.',
  pending: 'CI is still running.',
  none: 'No check is configured for this pull request.',
  unknown: 'The result of CI is not known now: a check could not run, or the forge could not be read.',
};
