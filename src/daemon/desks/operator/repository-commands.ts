/** The repository's own commands: shown, and approved as exactly what was shown. */
import { LegionError } from '../../../domain/fault.ts';
import type { Said } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';

export async function approveCommands(
  world: World,
  repo: string,
  fingerprint: string,
  by: string,
): Promise<Said> {
  const { repository } = world;
  if (repo !== repository.name)
    throw new LegionError('repository.missing', `this legion works on ${repository.name}, not on ${repo}`);
  const shown = await repository.commands();
  if (shown.fingerprint !== fingerprint)
    throw new LegionError('commands.changed', `the commands of ${repo} are ${shown.fingerprint} now`);
  if (shown.approved) return { says: `The commands of ${repo} are approved already.` };
  await repository.approve(fingerprint);
  world.wake();
  return { says: `The commands of ${repo} may run, by ${by}; others need another approval.` };
}
