/** The repository: whether there is one to work on, and whether its commands may run. */
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';
import { REPOSITORY_FILE, repositoryAt } from '../../repository-at.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';

export async function examineRepository(place: Place, { env }: CommandContext): Promise<readonly Finding[]> {
  try {
    const { path, base, inForce, approved } = await repositoryAt(place, env);
    const found = ok('repository', `${path}, pull requests to ${base}`);
    if (!inForce.ok) return [found, bad('commands', inForce.fault.message, inForce.fault.next)];
    if (!approved.ok) return [found, bad('commands', approved.fault.message, approved.fault.next)];
    const names = Object.entries(inForce.value.commands).flatMap(([name, argv]) =>
      argv === undefined ? [] : [name],
    );
    if (names.length === 0) {
      const next = `Write \`commands\` to ${REPOSITORY_FILE}, such as with \`legion init --commands\`, and commit it.`;
      return [found, warn('commands', 'the repository names none: nothing is tested but by agents', next)];
    }
    return [
      found,
      approved.value
        ? ok('commands', `${names.join(', ')}; approved`)
        : warn(
            'commands',
            `${names.join(', ')} wait for your approval`,
            'Look at them: legion approve --commands',
          ),
    ];
  } catch (error) {
    return [fromError('repository', error)];
  }
}
