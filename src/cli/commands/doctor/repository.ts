/** The repository: whether there is one to work on, and whether its commands and prompts may be used. */
import { faultOf } from '../../../config/problem.ts';
import type { Environment } from '../../../domain/environment.ts';
import { gitRunner } from '../../../git/runner.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';
import { REPOSITORY_FILE, type RepositoryAt, repositoryAt } from '../../repository-at.ts';
import { adviseApproval } from './advise-approval.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { examineFitness } from './fitness.ts';

export async function examineRepository(place: Place, { env }: CommandContext): Promise<readonly Finding[]> {
  try {
    const repository = await repositoryAt(place, env);
    const found = ok('repository', `${repository.path}, pull requests to ${repository.base}`);
    const checkout = place.resolved.config.forge === 'github' ? [] : await examineCheckout(repository, env);
    const fitness = await examineFitness(repository, place, env);
    return [
      found,
      ...checkout,
      commandsFinding(repository),
      ...promptFindings(repository, place.state),
      ...fitness,
    ];
  } catch (error) {
    return [fromError('repository', error)];
  }
}

const LOOK = 'Read and approve them with `legion approve --commands`.';

function commandsFinding({ inForce, approved }: RepositoryAt): Finding {
  if (!inForce.ok) return bad('commands', inForce.fault.message, inForce.fault.next);
  if (!approved.ok) return bad('commands', approved.fault.message, approved.fault.next);
  const names = Object.entries(inForce.value.commands).flatMap(([name, argv]) =>
    argv === undefined ? [] : [name],
  );
  if (names.length === 0) {
    const next = `Write \`commands\` to ${REPOSITORY_FILE}, such as with \`legion init --commands\`, and commit it.`;
    return warn('commands', 'the repository names none: nothing is tested but by agents', next);
  }
  return ok('commands', `${names.join(', ')}${approved.value ? '; approved' : ''}`);
}

/** None where the repository has no prompts of its own: most have none. */
function promptFindings(
  { prompts: { inForce }, promptsApproved }: RepositoryAt,
  state: string,
): readonly Finding[] {
  if (inForce.problems.length > 0) {
    const { message, next } = faultOf(inForce.problems);
    return [bad('prompts', message, next)];
  }
  if (!promptsApproved.ok) return [bad('prompts', promptsApproved.fault.message, promptsApproved.fault.next)];
  const names = Object.keys(inForce.texts).join(', ');
  if (names === '') return [];
  return [
    promptsApproved.value
      ? ok('prompts', `${names}; approved`)
      : warn(
          'prompts',
          `${names} wait for your approval; until then Legion’s own are used`,
          adviseApproval(state, LOOK),
        ),
  ];
}

/** What fits on a line or two; the rest is counted. */
const FILES_SHOWN = 10;

/** Nothing where another branch is checked out, or nothing is uncommitted. */
async function examineCheckout(
  { path, base }: Pick<RepositoryAt, 'path' | 'base'>,
  environment: Environment,
): Promise<readonly Finding[]> {
  const git = gitRunner({ environment, personal: true });
  const branch = await git.ask(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (branch?.trim() !== base) return [];
  const listed = await git.run(path, ['--no-optional-locks', 'diff', '--name-only', '-z', 'HEAD', '--']);
  const files = listed.split('\0').filter((name) => name !== '');
  if (files.length === 0) return [];
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : '';
  const named = `${files.slice(0, FILES_SHOWN).join(', ')}${more}`;
  return [ok('checkout', `uncommitted on ${base}: ${named}; a merge waits only if it changes one of these`)];
}
