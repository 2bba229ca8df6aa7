/**
 * Finds the legion that a command applies to: the legion of the nearest `legion.yaml` in this or a
 * parent directory, unless a flag specifies another.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { validate as isUuid } from 'uuid';
import { hasScriptedAgent } from '../config/legion/mode-agents.ts';
import {
  type LegionFile,
  loadConfig,
  type ResolvedConfig,
  readLegionFile,
  readLegionName,
  resolveConfig,
} from '../config/legion/resolve.ts';
import { PROJECT_PATTERN } from '../config/legion/schema.ts';
import type { RawSetting } from '../config/legion/settings.ts';
import { type LegionPaths, resolveLegionPaths } from '../config/paths.ts';
import { SCRIPTED_BANNER } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { isRunning } from '../lib/process/proc-table.ts';
import { unwrap } from '../lib/result.ts';
import { findLastStarted, readDaemonFile } from './daemon-address.ts';
import { sanitizeText } from './present/terminal.ts';
import { type CommandContext, toFlag } from './program/define-command.ts';

export const LEGION_FILE = 'legion.yaml';

export interface LegionLocation {
  readonly file: LegionFile;
  readonly flags: readonly RawSetting[];
  readonly resolved: ResolvedConfig;
  readonly paths: LegionPaths;
  /** The legion's state directory. */
  readonly state: string;
  /**
   * The error, if the file is invalid. In that case only the legion's name and the defaults are
   * used here, while the daemon keeps its last valid configuration.
   */
  readonly invalid?: LegionError | undefined;
  /**
   * Set if the file does not specify a legion, so that the legion last started from this file is
   * used.
   */
  readonly isLastStarted?: true | undefined;
}

export interface LocationFlags {
  readonly config?: string | undefined;
  readonly legion?: string | undefined;
  readonly port?: string | undefined;
  readonly backend?: string | undefined;
  readonly agent?: string | undefined;
  readonly budgetIssue?: string | undefined;
  readonly budgetDay?: string | undefined;
}

/** Configuration key of each flag. */
const FLAG_KEYS = {
  legion: 'legion',
  backend: 'backend',
  port: 'port',
  agent: 'agents.default.agent',
  budgetIssue: 'budgets.issue.usd',
  budgetDay: 'budgets.day.usd',
} as const;

const NAME_LEGION_ADVICE = `Correct ${LEGION_FILE}, or specify the legion with \`--legion NAME\` (\`legion teams\` lists them).`;

/**
 * Finds the legion of a command. Requires a name from a flag, a file or the environment, because
 * with a default name, unrelated directories would share one legion.
 */
export function findLegionLocation(
  context: Pick<CommandContext, 'cwd' | 'env'>,
  options: LocationFlags,
): LegionLocation {
  const location = findOptionalLocation(context, options);
  const { file, resolved } = location;
  if (resolved.sources.get('legion')?.from !== 'default') return location;
  if (!file.named)
    throw new LegionError('config.no_legion', `No ${LEGION_FILE} found here or in a parent folder.`);
  const problem = 'legion: expected the name of the legion, but it is missing';
  throw new LegionError('config.invalid', `${file.path}: ${problem}`);
}

/**
 * Finds the legion for commands that talk to a daemon. Works even if `legion.yaml` cannot be read,
 * because people must still be able to stop the legion.
 */
export function findRunningLocation(
  context: Pick<CommandContext, 'cwd' | 'env'>,
  options: LocationFlags,
): LegionLocation {
  try {
    return findLegionLocation(context, options);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code === 'config.no_legion') throw error;
    return findLocationByName(context, options, error);
  }
}

/**
 * Finds the legion by its name alone. If the command line specifies a file that does not exist,
 * this is still an error.
 */
function findLocationByName(
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
  options: LocationFlags,
  invalid: LegionError,
): LegionLocation {
  if (invalid.code === 'config.missing') throw invalid;
  const file = findLegionFile(cwd, options.config);
  const text = readLegionFile(file.path);
  const paths = resolveLegionPaths(env);
  if (!paths.ok) throw invalid;
  const name = options.legion ?? (text.ok ? readLegionName(text.value) : undefined);
  const lastStarted = name === undefined ? findLastStarted(paths.value, file.path) : undefined;
  const legion = name ?? lastStarted ?? env['LEGION_ID'] ?? '';
  if (legion === '') throw new LegionError(invalid.code, invalid.message, { next: NAME_LEGION_ADVICE });
  const flags = [{ key: 'legion', name: '--legion', text: legion }];
  const backend = detectBackend(legion);
  if (backend !== undefined) flags.push({ key: 'backend', name: '--backend', text: backend });
  const resolved = resolveConfig({ flags, file: undefined, environment: {} });
  if (!resolved.ok) throw invalid;
  return {
    file,
    flags,
    resolved: resolved.value,
    paths: paths.value,
    state: paths.value.state(resolved.value.config.legion),
    invalid,
    isLastStarted: lastStarted === undefined ? undefined : true,
  };
}

/**
 * Finds the legion for commands that also work before a legion exists. Values that are not set have
 * their defaults.
 */
export function findOptionalLocation(
  context: Pick<CommandContext, 'cwd' | 'env'>,
  options: LocationFlags,
): LegionLocation {
  const file = findLegionFile(context.cwd, options.config);
  const wanted = { ...options, backend: options.backend ?? detectBackend(options.legion ?? '') };
  const flags = Object.entries(FLAG_KEYS).flatMap(([flag, key]) => {
    const text = wanted[flag as keyof typeof FLAG_KEYS];
    return text === undefined ? [] : [{ key, name: toFlag(flag), text }];
  });
  const resolved = unwrap(loadConfig(file, { flags, environment: context.env }));
  const paths = unwrap(resolveLegionPaths(context.env));
  return { file, flags, resolved, paths, state: paths.state(resolved.config.legion) };
}

/** A name such as `acme/3` is always a GitHub project, and a UUID always a Linear team. */
function detectBackend(legion: string): 'github' | 'linear' | undefined {
  if (PROJECT_PATTERN.test(legion)) return 'github';
  return isUuid(legion) ? 'linear' : undefined;
}

/**
 * Finds `legion.yaml`. A file that the command line specifies must exist. If no file is found in
 * this or a parent directory, returns the path that the file would have in the current directory.
 */
function findLegionFile(cwd: string, named: string | undefined): LegionFile {
  if (named !== undefined) return { path: resolve(cwd, named), named: true };
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, LEGION_FILE);
    if (existsSync(path)) return { path, named: true };
    if (folder === dirname(folder)) return { path: join(cwd, LEGION_FILE), named: false };
  }
}

/**
 * Prints notes about a command's legion: its `legion.yaml` is invalid, or its agent is the scripted
 * one. Writes to stderr, so that notes never change the stdout that programs read.
 */
export function showLocationNotes(location: LegionLocation, context: Pick<CommandContext, 'stderr'>): void {
  showScriptedBanner(location, context);
  if (location.invalid === undefined) return;
  const lines = [
    sanitizeText(location.invalid.message),
    ...(location.isLastStarted === true
      ? [`This command is for ${location.resolved.config.legion}, which was last started from this file.`]
      : []),
    isDaemonRunning(location.state)
      ? 'The running daemon keeps the last valid configuration.'
      : 'Correct the file before the next `legion up`.',
  ];
  context.stderr.write(`${styleText('yellow', lines.join('\n'))}\n`);
}

/** Ignores a damaged `daemon.json`, because the command itself reports it. */
function isDaemonRunning(state: string): boolean {
  try {
    const daemon = readDaemonFile(state);
    return daemon !== undefined && isRunning(daemon.pid);
  } catch (error) {
    if (error instanceof LegionError) return false;
    throw error;
  }
}

/**
 * Reminds people at the terminal that the scripted agent does no real work. Writes to stderr, so
 * that the stdout that programs read is unchanged.
 */
export function showScriptedBanner(
  { resolved }: LegionLocation,
  { stderr }: Pick<CommandContext, 'stderr'>,
): void {
  if (hasScriptedAgent(resolved.config)) stderr.write(`${styleText('yellow', SCRIPTED_BANNER)}\n`);
}
