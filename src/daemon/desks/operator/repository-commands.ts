/** The repository's own commands and prompts: shown, and approved as exactly what was shown. */
import { LegionError } from '../../../domain/fault.ts';
import type { Said } from '../../../protocol/operator.ts';
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
  const may = prompts === 0 ? 'may run' : 'may run and be used';
  return { says: `The ${what} of ${repo} ${may}, by ${by}; others need another approval.` };
}
