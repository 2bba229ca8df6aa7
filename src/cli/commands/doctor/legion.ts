/** The legion: its configuration, state folder, daemon, agents, Linear, GitHub and repository. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { askProgram, findProgram } from '../../../agents/program.ts';
import { faultOf } from '../../../config/problem.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { usesGithub } from '../../../daemon/compose-github.ts';
import type { Environment } from '../../../domain/environment.ts';
import { span } from '../../../domain/format.ts';
import { MODES } from '../../../domain/mode.ts';
import { gitRunner } from '../../../git/runner.ts';
import { DAEMON_FILE, TOKEN_FILE } from '../../../protocol/daemon-file.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import type { CommandContext } from '../../command.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { daemonClient } from '../../daemon-client.ts';
import { findPlace, type Place, type PlaceFlags } from '../../legion-location.ts';
import { REPOSITORY_FILE, type RepositoryAt, repositoryAt } from '../../repository-at.ts';
import { version } from '../../version.ts';
import { adviseApproval } from './advise-approval.ts';
import { examineAgents } from './agents.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { examineFitness } from './fitness.ts';
import { examineGithub } from './github.ts';
import { examineLinear } from './linear.ts';

const OPEN_TO_OTHERS = 0o077;
const HEALTH_MS = 5_000;

/** Without a configuration that can be read nothing further can be looked at. */
export async function examineLegion(
  flags: PlaceFlags,
  turn: boolean,
  context: CommandContext,
): Promise<readonly Finding[]> {
  let place: Place;
  try {
    place = findPlace(context, flags);
  } catch (error) {
    return [fromError('configuration', error)];
  }
  return [
    configuration(place),
    ...stateFolder(place),
    ...(await daemon(place, context)),
    ...(await examineAgents(place, turn, context)),
    ...(await examineViews(place, context)),
    ...(place.resolved.config.backend === 'linear' ? await examineLinear(place, context) : []),
    ...(usesGithub(place.resolved.config) ? await examineGithub(place, context) : []),
    // On GitHub the clone of our own counts, and not the folder of the file.
    ...(place.resolved.config.forge === 'github' ? [] : await examineRepository(place, context)),
  ];
}

function configuration({ file, resolved }: Place): Finding {
  const { legion } = resolved.config;
  return ok('configuration', file.named ? `${legion}, by ${file.path}` : `${legion}, without a legion.yaml`);
}

function stateFolder({ state }: Place): readonly Finding[] {
  const folder = statSync(state, { throwIfNoEntry: false });
  if (folder === undefined) return [ok('state', `${state} is made at the first start`)];
  const own = process.getuid?.();
  if (own !== undefined && folder.uid !== own) {
    return [
      bad('state', `${state} belongs to another user`, 'Give it to the user Legion runs as (chown -R).'),
    ];
  }
  const open = ['', TOKEN_FILE, DAEMON_FILE].map((name) => join(state, name)).filter(isOpenToOthers);
  return open.length === 0
    ? [ok('state', state)]
    : [bad('state', `others may read ${open.join(', ')}`, `Close it: chmod -R go-rwx ${state}`)];
}

function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OPEN_TO_OTHERS) !== 0;
}

async function daemon({ state }: Place, { signal }: CommandContext): Promise<readonly Finding[]> {
  try {
    if (readDaemonFile(state) === undefined) return [ok('daemon', 'not running; `legion up` starts it')];
    const health = await daemonClient(state, signal).call(adminEndpoints.health, { timeoutMs: HEALTH_MS });
    const says = `pid ${health.pid} for ${span(Date.now() - health.startedAt)}, version ${health.version}`;
    const own = version();
    return [
      health.version === own
        ? ok('daemon', says)
        : warn('daemon', `${says}; this command is ${own}`, 'Run `legion restart`.'),
      ...health.troubles.map(({ code, message, next }) => warn('trouble', `${message} [${code}]`, next)),
    ];
  } catch (error) {
    const finding = fromError('daemon', error);
    // One that died keeps nobody from starting the next.
    return [
      error instanceof LegionError && error.code === 'daemon.not_running'
        ? { ...finding, verdict: 'warn' }
        : finding,
    ];
  }
}

/** Without it nothing but the windows is missing, so it is no reason not to begin. */
async function examineViews({ resolved }: Place, context: CommandContext): Promise<readonly Finding[]> {
  const { agents } = resolved.config;
  if (!MODES.some((mode) => (agents[mode]?.view ?? agents.default.view) === 'tmux')) return [];
  const program = await findProgram('tmux', context.env);
  if (program === undefined)
    return [
      warn(
        'tmux',
        'it is not on the PATH, and workers are to be shown in its windows',
        'Install tmux, or set `view: none`.',
      ),
    ];
  const { out } = await askProgram(program, ['-V'], context.env, context.signal);
  return [ok('tmux', out.trim())];
}

/** The repository: whether there is one to work on, and whether its commands and prompts may be used. */
async function examineRepository(place: Place, { env }: CommandContext): Promise<readonly Finding[]> {
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
