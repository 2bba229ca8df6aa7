/** The repository's own commands and prompts: shown, and approved as exactly what was shown. */
import { LegionError } from '../../../core/model/fault.ts';
import type { RepositoryCommands, Said } from '../../../protocol/operator.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';

export async function approveCommands(
  world: World,
  repo: string,
  fingerprint: string,
  by: string,
): Promise<Said> {
  const repository = world.repositories.all.find(({ name }) => name === repo);
  if (repository === undefined) {
    const names = world.repositories.all.map(({ name }) => name).join(', ');
    throw new LegionError('repository.missing', `this legion works on ${names}, not on ${repo}`);
  }
  const shown = await repository.commands();
  if (shown.fingerprint !== fingerprint)
    throw new LegionError('commands.changed', `what ${repo} asks for is ${shown.fingerprint} now`);
  const prompts = Object.keys(shown.prompts).length;
  const what = prompts === 0 ? 'commands' : 'commands and prompts';
  if (shown.approved) return { says: `The ${what} of ${repo} are approved already.` };
  await repository.approve(fingerprint);
  world.wake();
  return { says: `${by} approved the ${what} of ${repo}. Legion asks again when they change.` };
}

/** What a fetch on a good line takes, several times over; a person waits for the answer. */
const RENEWED_WITHIN_MS = 5_000;

/** Asked for by a person who may have pushed them a moment ago; where that takes too long, as they were known last. */
export async function newestCommands({ clock }: World, repository: Repository): Promise<RepositoryCommands> {
  const enough = new AbortController();
  const renewing = repository.renew().catch(() => undefined);
  await Promise.race([renewing, clock.sleep(RENEWED_WITHIN_MS, enough.signal).catch(() => undefined)]);
  enough.abort();
  return repository.commands();
}
