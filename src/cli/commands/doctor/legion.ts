/** The legion: its configuration, state folder, daemon, agents, Linear, GitHub and repository. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { askProgram, findProgram } from '../../../agents/program.ts';
import { usesGithub } from '../../../daemon/compose-github.ts';
import { LegionError } from '../../../domain/fault.ts';
import { span } from '../../../domain/format.ts';
import { MODES } from '../../../domain/mode.ts';
import { DAEMON_FILE, TOKEN_FILE } from '../../../protocol/daemon-file.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import type { CommandContext } from '../../command.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { daemonClient } from '../../daemon-client.ts';
import { findPlace, type Place, type PlaceFlags } from '../../place.ts';
import { version } from '../../version.ts';
import { examineAgents } from './agents.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { examineGithub } from './github.ts';
import { examineLinear } from './linear.ts';
import { examineRepository } from './repository.ts';

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
