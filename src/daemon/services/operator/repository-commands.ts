/** Shows the repository's own commands and prompts, and approves exactly what was shown. */
import { LegionError } from '../../../core/model/fault.ts';
import type { ActionAnswer, BaselineRequest } from '../../../protocol/operator.ts';
import type { RepositoryCommands } from '../../../protocol/repository.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { Repository } from '../../context/repository.ts';

export async function approveCommands(
  context: StateContext & PortContext,
  repo: string,
  fingerprint: string,
  by: string,
): Promise<ActionAnswer> {
  const repository = context.repositories.all.find(({ name }) => name === repo);
  if (repository === undefined) {
    const names = context.repositories.all.map(({ name }) => name).join(', ');
    throw new LegionError('repository.missing', `Unknown repository ${repo}. Valid: ${names}.`);
  }
  const shown = await repository.commands();
  if (shown.fingerprint !== fingerprint)
    throw new LegionError(
      'commands.changed',
      `The commands of ${repo} have changed. Their fingerprint is now ${shown.fingerprint}.`,
    );
  const prompts = Object.keys(shown.prompts).length;
  const what = prompts === 0 ? 'commands' : 'commands and prompts';
  if (shown.approved) return { says: `The ${what} of ${repo} are already approved.` };
  await repository.approve(fingerprint);
  context.wake();
  return { says: `${by} approved the ${what} of ${repo}. Legion asks again when they change.` };
}

/**
 * Several times as long as a fetch takes on a good connection. Limited, because a person is waiting
 * for the answer.
 */
const FETCH_LIMIT_MS = 5_000;

/**
 * Returns the newest commands. Fetches the base branch first, because the person may have just
 * pushed them. If the fetch takes too long, returns the last known commands.
 */
export async function readNewestCommands(
  { clock }: StateContext,
  repository: Repository,
): Promise<RepositoryCommands> {
  const enough = new AbortController();
  const renewing = repository.fetchLatest().catch(() => undefined);
  await Promise.race([renewing, clock.sleep(FETCH_LIMIT_MS, enough.signal).catch(() => undefined)]);
  enough.abort();
  return repository.commands();
}

/**
 * Handles an operator’s decision about the baseline: run it again, or let workers start although it
 * failed.
 */
export async function handleBaselineRequest(
  { preflight }: PortContext,
  { action, by }: BaselineRequest,
): Promise<ActionAnswer> {
  if (action === 'rerun') {
    preflight.rerunBaselines();
    return { says: 'The baseline runs again. No worker starts until it has finished.' };
  }
  const ignored = await preflight.ignoreBaselines(by);
  if (ignored.length === 0) return { says: 'No baseline is red, so there is nothing to ignore.' };
  return {
    says: `Workers start despite the red baseline of ${ignored.join(', ')}, until it passes or the commands change.`,
  };
}
