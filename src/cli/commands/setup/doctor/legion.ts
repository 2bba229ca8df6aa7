/**
 * Checks the legion: configuration, state directory, daemon, agents, Linear, GitHub and repository.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { askProgram, findProgram } from '../../../../agents/driven-agent.ts';
import { resolveWorkspaceRoot } from '../../../../config/paths.ts';
import { toConfigFault } from '../../../../config/problem.ts';
import { computeCommandsFingerprint } from '../../../../config/repository/load.ts';
import type { EnvironmentVariables } from '../../../../core/model/environment.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { formatDuration } from '../../../../core/model/format.ts';
import { MODES } from '../../../../core/model/mode.ts';
import {
  findPreflightProblems,
  NO_BOARD_PROBLEM,
  type RepositoryFacts,
} from '../../../../core/state/preflight.ts';
import { isGithubUsed } from '../../../../daemon/composition/open-github.ts';
import { readBaseline } from '../../../../daemon/composition/run-baseline.ts';
import { buildLfsNotice, findLfsFiles } from '../../../../git/lfs.ts';
import { createGitRunner } from '../../../../git/runner.ts';
import { unwrap } from '../../../../lib/result.ts';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import { DAEMON_FILE, TOKEN_FILE } from '../../../../protocol/state-files.ts';
import { requireCommonFolder } from '../../../../workspaces/git-worktree/repository.ts';
import { findMisplacedWorkspaces } from '../../../../workspaces/git-worktree/sweep.ts';
import { findJjProblems } from '../../../../workspaces/jj/check-programs.ts';
import { readDaemonFile } from '../../../daemon-address.ts';
import { createDaemonClient } from '../../../daemon-client.ts';
import { readVersion } from '../../../installation.ts';
import { findLegionLocation, type LegionLocation, type LocationFlags } from '../../../legion-location.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { REPOSITORY_FILE, type RepositoryState, readRepositoryState } from '../../../repository-at.ts';
import { inspectAgents } from './agents.ts';
import {
  type DoctorFinding,
  describeApprovalSteps,
  reportFault,
  reportOk,
  reportProblem,
  reportWarning,
} from './finding.ts';
import { inspectGithub } from './github.ts';
import { inspectLinear } from './linear.ts';

const OTHERS_MODE_BITS = 0o077;
const HEALTH_MS = 5_000;

/** Checks the legion. Stops after the first finding if the configuration cannot be read. */
export async function inspectLegion(
  flags: LocationFlags,
  turn: boolean,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  let location: LegionLocation;
  try {
    location = findLegionLocation(context, flags);
  } catch (error) {
    return [reportFault('configuration', error)];
  }
  return [
    inspectConfiguration(location),
    ...inspectStateFolder(location),
    ...(await inspectDaemon(location, context)),
    ...(await inspectAgents(location, turn, context)),
    ...(await inspectViews(location, context)),
    ...(location.resolved.config.backend === 'linear' ? await inspectLinear(location, context) : []),
    ...(isGithubUsed(location.resolved.config) ? await inspectGithub(location, context) : []),
    // With GitHub, Legion uses its own clone instead of this directory.
    ...(location.resolved.config.forge === 'github' ? [] : await inspectRepository(location, context)),
  ];
}

function inspectConfiguration({ file, resolved }: LegionLocation): DoctorFinding {
  const { legion } = resolved.config;
  return reportOk(
    'configuration',
    file.named ? `${legion}, from ${file.path}` : `${legion}, without a legion.yaml`,
  );
}

function inspectStateFolder({ state }: LegionLocation): readonly DoctorFinding[] {
  const folder = statSync(state, { throwIfNoEntry: false });
  if (folder === undefined) return [reportOk('state', `${state} will be created at the first start`)];
  const own = process.getuid?.();
  if (own !== undefined && folder.uid !== own) {
    return [
      reportProblem(
        'state',
        `${state} belongs to another user`,
        'Change its owner to the user that runs Legion (chown -R).',
      ),
    ];
  }
  const open = ['', TOKEN_FILE, DAEMON_FILE].map((name) => join(state, name)).filter(isOpenToOthers);
  return open.length === 0
    ? [reportOk('state', state)]
    : [
        reportProblem(
          'state',
          `other users can read ${open.join(', ')}`,
          `Run \`chmod -R go-rwx ${state}\`.`,
        ),
      ];
}

function isOpenToOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_MODE_BITS) !== 0;
}

async function inspectDaemon(
  { state }: LegionLocation,
  { signal }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  try {
    if (readDaemonFile(state) === undefined)
      return [reportOk('daemon', 'not running; run `legion up` to start it')];
    const health = await createDaemonClient(state, signal).call(adminEndpoints.health, {
      timeoutMs: HEALTH_MS,
    });
    const message = `pid ${health.pid}, up for ${formatDuration(Date.now() - health.startedAt)}, version ${health.version}`;
    const own = readVersion();
    return [
      health.version === own
        ? reportOk('daemon', message)
        : reportWarning('daemon', `${message}; this command is ${own}`, 'Run `legion restart`.'),
      ...health.troubles.map(({ code, message, next }) =>
        reportWarning('active problem', `${message} [${code}]`, next),
      ),
    ];
  } catch (error) {
    const finding = reportFault('daemon', error);
    // A missing daemon is only a warning, because a crashed daemon does not prevent the next start.
    return [
      error instanceof LegionError && error.code === 'daemon.not_running'
        ? { ...finding, verdict: 'warn' }
        : finding,
    ];
  }
}

/**
 * Checks for tmux. A missing tmux is only a warning, because everything except the tmux windows
 * works without it.
 */
async function inspectViews(
  { resolved }: LegionLocation,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const { agents } = resolved.config;
  if (!MODES.some((mode) => (agents[mode]?.view ?? agents.default.view) === 'tmux')) return [];
  const program = await findProgram('tmux', context.env);
  if (program === undefined)
    return [
      reportWarning(
        'tmux',
        'not found on the PATH, but the configuration shows workers in tmux windows',
        'Install tmux, or set `view: none`.',
      ),
    ];
  const { out } = await askProgram(program, ['-V'], context.env, context.signal);
  return [reportOk('tmux', out.trim())];
}

/** Checks that a repository exists and that its commands and prompts are approved. */
async function inspectRepository(
  location: LegionLocation,
  { env }: CommandContext,
): Promise<readonly DoctorFinding[]> {
  try {
    const repository = await readRepositoryState(location, env);
    const repositoryFinding = reportOk(
      'repository',
      `${repository.path}, pull requests to ${repository.base}`,
    );
    const checkout =
      location.resolved.config.forge === 'github' ? [] : await inspectCheckout(repository, env);
    const fitness = await inspectFitness(repository, location, env);
    return [
      repositoryFinding,
      ...checkout,
      inspectCommands(repository),
      ...inspectPrompts(repository, location.state),
      ...fitness,
    ];
  } catch (error) {
    return [reportFault('repository', error)];
  }
}

const APPROVAL_ADVICE = 'Run `legion approve --commands` to read and approve them.';

function inspectCommands({ inForce, approved }: RepositoryState): DoctorFinding {
  if (!inForce.ok) return reportProblem('commands', inForce.fault.message, inForce.fault.next);
  if (!approved.ok) return reportProblem('commands', approved.fault.message, approved.fault.next);
  const names = Object.entries(inForce.value.commands).flatMap(([name, argv]) =>
    argv === undefined ? [] : [name],
  );
  if (names.length === 0) {
    const next = `Add \`commands\` to ${REPOSITORY_FILE}, for example with \`legion init --commands\`, and commit the file.`;
    return reportWarning('commands', 'the repository defines none, so only agents test its changes', next);
  }
  return reportOk('commands', `${names.join(', ')}${approved.value ? '; approved' : ''}`);
}

/** Checks the repository's prompts. Returns no findings if it has none, which is the usual case. */
function inspectPrompts(
  { prompts: { inForce }, promptsApproved }: RepositoryState,
  state: string,
): readonly DoctorFinding[] {
  if (inForce.problems.length > 0) {
    const { message, next } = toConfigFault(inForce.problems);
    return [reportProblem('prompts', message, next)];
  }
  if (!promptsApproved.ok)
    return [reportProblem('prompts', promptsApproved.fault.message, promptsApproved.fault.next)];
  const names = Object.keys(inForce.texts).join(', ');
  if (names === '') return [];
  return [
    promptsApproved.value
      ? reportOk('prompts', `${names}; approved`)
      : reportWarning(
          'prompts',
          `waiting for your approval: ${names}; until then Legion uses its own prompts`,
          describeApprovalSteps(state, APPROVAL_ADVICE),
        ),
  ];
}

/** This many file names fit on one or two lines. For further files, only their number is shown. */
const MAX_LISTED_FILES = 10;

/**
 * Reports uncommitted files. Returns no findings if another branch is checked out or nothing is
 * uncommitted.
 */
async function inspectCheckout(
  { path, base }: Pick<RepositoryState, 'path' | 'base'>,
  environment: EnvironmentVariables,
): Promise<readonly DoctorFinding[]> {
  const git = createGitRunner({ environment, personal: true });
  const branch = await git.ask(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (branch?.trim() !== base) return [];
  const listed = await git.run(path, ['--no-optional-locks', 'diff', '--name-only', '-z', 'HEAD', '--']);
  const files = listed.split('\0').filter((name) => name !== '');
  if (files.length === 0) return [];
  const more = files.length > MAX_LISTED_FILES ? ` and ${files.length - MAX_LISTED_FILES} more` : '';
  const names = `${files.slice(0, MAX_LISTED_FILES).join(', ')}${more}`;
  return [
    reportOk('checkout', `uncommitted on ${base}: ${names}; a merge waits only if it changes one of these`),
  ];
}

/**
 * Checks for problems that keep every worker of the repository from starting, by the same rule as
 * the daemon. Uses the result of the daemon's last baseline. Does not read the checks on GitHub,
 * because the daemon does that.
 */
async function inspectFitness(
  { name, path, base, inForce, approved }: RepositoryState,
  { paths, state, resolved }: LegionLocation,
  env: CommandContext['env'],
): Promise<readonly DoctorFinding[]> {
  if (!inForce.ok || !approved.ok) return [];
  const { commands } = inForce.value;
  const fingerprint = computeCommandsFingerprint(inForce.value);
  const root = unwrap(resolveWorkspaceRoot(resolved.config, paths, env));
  const common = await requireCommonFolder(createGitRunner({ environment: env }), path);
  const misplaced = await findMisplacedWorkspaces(common, resolved.config.legion, root);
  const facts: RepositoryFacts = {
    repo: name,
    base,
    forge: resolved.config.forge === 'github' ? 'github' : 'local',
    commands: Object.entries(commands).flatMap(([command, argv]) => (argv === undefined ? [] : [command])),
    approved: approved.value,
    forgeChecks: 'unknown',
    misplacedWorkspaces: { repository: path, root, found: misplaced },
    baseline: approved.value ? readBaseline(state, name, fingerprint) : undefined,
  };
  const problems = findPreflightProblems({
    agents: [],
    board: NO_BOARD_PROBLEM,
    repositories: [facts],
    workspaceProblems: resolved.config.workspaces.kind === 'jj' ? await findJjProblems(env, [common]) : [],
  });
  const git = createGitRunner({ environment: env });
  const files = await findLfsFiles(git, path, base);
  const lfs = files.length === 0 ? [] : [await buildLfsNotice(git, path, files)];
  return [
    ...problems.map(({ code, message, next, remedy }) => {
      const advice =
        code === 'preflight.commands_unapproved' ? describeApprovalSteps(state, next) : (remedy ?? next);
      return reportProblem('preflight', `${message} [${code}]`, advice);
    }),
    ...(facts.baseline?.verdict === 'passed' ? [reportOk('baseline', 'green')] : []),
    ...lfs.map(({ message, next }) => reportWarning('Git LFS', message, next)),
  ];
}
