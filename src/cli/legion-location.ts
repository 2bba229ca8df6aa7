/** Which legion a command is about: the one of the next `legion.yaml` upwards, unless a flag names another. */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { validate as isUuid } from 'uuid';
import { PROJECT } from '../config/legion/board.ts';
import type { Given } from '../config/legion/given.ts';
import { type LegionFile, loadConfig, readLegionFile } from '../config/legion/load.ts';
import { readLegionName } from '../config/legion/read-name.ts';
import { type Resolved, resolveConfig } from '../config/legion/resolve.ts';
import { type LegionPaths, legionPaths } from '../config/paths.ts';
import { LegionError } from '../core/model/fault.ts';
import { unwrap } from '../lib/result.ts';
import type { CommandContext } from './command.ts';
import { findLastStarted } from './last-started.ts';
import { toFlag } from './program/options.ts';

export const LEGION_FILE = 'legion.yaml';

export interface Place {
  readonly file: LegionFile;
  readonly flags: readonly Given[];
  readonly resolved: Resolved;
  readonly paths: LegionPaths;
  /** The legion's state folder. */
  readonly state: string;
  /** Why the configuration is only the name and defaults; the daemon keeps its last good one. */
  readonly invalid?: LegionError | undefined;
  /** The file names no legion, so this is the one that was last started from it. */
  readonly isLastStarted?: true | undefined;
}

export interface PlaceFlags {
  readonly config?: string | undefined;
  readonly legion?: string | undefined;
  readonly port?: string | undefined;
  readonly backend?: string | undefined;
  readonly agent?: string | undefined;
  readonly budgetIssue?: string | undefined;
  readonly budgetDay?: string | undefined;
}

/** The key each flag stands for. */
const FLAG_KEYS = {
  legion: 'legion',
  backend: 'backend',
  port: 'port',
  agent: 'agents.default.agent',
  budgetIssue: 'budgets.issue.usd',
  budgetDay: 'budgets.day.usd',
} as const;

const NAME_LEGION = `Correct ${LEGION_FILE}, or name the legion with \`--legion NAME\` (\`legion teams\` lists them).`;

/** Requires a name from a flag, a file or the environment: a default name would be shared by unrelated folders. */
export function findPlace(context: Pick<CommandContext, 'cwd' | 'env'>, given: PlaceFlags): Place {
  const place = findOptionalPlace(context, given);
  const { file, resolved } = place;
  if (resolved.sources.get('legion')?.from !== 'default') return place;
  if (!file.named)
    throw new LegionError('config.no_legion', `No ${LEGION_FILE} found here or in a parent folder.`);
  const problem = 'legion: expected the name of the legion, but it is missing';
  throw new LegionError('config.invalid', `${file.path}: ${problem}`);
}

/** For commands to a daemon: stopping must work even if `legion.yaml` cannot be read. */
export function findRunningPlace(context: Pick<CommandContext, 'cwd' | 'env'>, given: PlaceFlags): Place {
  try {
    return findPlace(context, given);
  } catch (error) {
    if (!(error instanceof LegionError) || error.code === 'config.no_legion') throw error;
    return findPlaceByName(context, given, error);
  }
}

/** A file that was named and does not exist is a slip of the command line, so it stays an error. */
function findPlaceByName(
  { cwd, env }: Pick<CommandContext, 'cwd' | 'env'>,
  given: PlaceFlags,
  invalid: LegionError,
): Place {
  if (invalid.code === 'config.missing') throw invalid;
  const file = legionFile(cwd, given.config);
  const text = readLegionFile(file.path);
  const paths = legionPaths(env);
  if (!paths.ok) throw invalid;
  const named = given.legion ?? (text.ok ? readLegionName(text.value) : undefined);
  const lastStarted = named === undefined ? findLastStarted(paths.value, file.path) : undefined;
  const legion = named ?? lastStarted ?? env['LEGION_ID'] ?? '';
  if (legion === '') throw new LegionError(invalid.code, invalid.message, { next: NAME_LEGION });
  const flags = [{ key: 'legion', name: '--legion', text: legion }];
  const backend = impliedBy(legion);
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

/** For commands that are useful before a legion exists: everything that nobody has set has its default. */
export function findOptionalPlace(context: Pick<CommandContext, 'cwd' | 'env'>, given: PlaceFlags): Place {
  const file = legionFile(context.cwd, given.config);
  const wanted = { ...given, backend: given.backend ?? impliedBy(given.legion ?? '') };
  const flags = Object.entries(FLAG_KEYS).flatMap(([flag, key]) => {
    const text = wanted[flag as keyof typeof FLAG_KEYS];
    return text === undefined ? [] : [{ key, name: toFlag(flag), text }];
  });
  const resolved = unwrap(loadConfig(file, { flags, environment: context.env }));
  const paths = unwrap(legionPaths(context.env));
  return { file, flags, resolved, paths, state: paths.state(resolved.config.legion) };
}

/** A name such as `acme/3` is always a GitHub project, and a UUID always a Linear team. */
function impliedBy(legion: string): 'github' | 'linear' | undefined {
  if (PROJECT.test(legion)) return 'github';
  return isUuid(legion) ? 'linear' : undefined;
}

/** A file that was named must exist; where none is found upwards, the one that could be here need not. */
function legionFile(cwd: string, named: string | undefined): LegionFile {
  if (named !== undefined) return { path: resolve(cwd, named), named: true };
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, LEGION_FILE);
    if (existsSync(path)) return { path, named: true };
    if (folder === dirname(folder)) return { path: join(cwd, LEGION_FILE), named: false };
  }
}
