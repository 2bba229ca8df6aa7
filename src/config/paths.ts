/** Locates Legion's files according to the XDG base directory specification. */
import { isAbsolute, join } from 'node:path';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { createFault, fail, ok, type Result } from '../core/model/fault.ts';
import { type IssueId, toFolderName } from '../core/model/ids.ts';

/**
 * Every untrusted part goes through `toFolderName`, so that no part can leave its parent directory
 * or collide with another part.
 */
export interface LegionPaths {
  clone(host: string, owner: string, repo: string): string;
  workspaces(legion: string): string;
  workspace(legion: string, issue: IssueId): string;
  state(legion: string): string;
  /** Parent of all legions' state directories. */
  readonly states: string;
  /** List of the legion.yaml files that `legion init` has written on this machine. */
  readonly legionFiles: string;
}

export function resolveLegionPaths(environment: EnvironmentVariables): Result<LegionPaths> {
  const data = resolveBaseFolder(environment, 'XDG_DATA_HOME', '.local/share');
  const state = resolveBaseFolder(environment, 'XDG_STATE_HOME', '.local/state');
  if (data === undefined || state === undefined) {
    const name = data === undefined ? 'XDG_DATA_HOME' : 'XDG_STATE_HOME';
    return fail(createFault('config.home_missing', `Neither HOME nor ${name} is an absolute path.`));
  }
  const resolveWorkspaces = (legion: string) => join(data, 'legion', 'workspaces', toFolderName(legion));
  const states = join(state, 'legion', 'legions');
  return ok({
    clone: (...parts) => join(data, 'legion', 'repos', ...parts.map(toFolderName)),
    workspaces: resolveWorkspaces,
    workspace: (legion, issue) => join(resolveWorkspaces(legion), toFolderName(issue)),
    state: (legion) => join(states, toFolderName(legion)),
    states,
    legionFiles: join(state, 'legion', 'legion-files.json'),
  });
}

/** Returns the directory for the legion's workspaces. */
export function resolveWorkspaceRoot(
  {
    legion,
    workspaces,
  }: { readonly legion: string; readonly workspaces: { readonly root?: string | undefined } },
  paths: LegionPaths,
  environment: EnvironmentVariables,
): Result<string> {
  return workspaces.root === undefined
    ? ok(paths.workspaces(legion))
    : expandHome(workspaces.root, environment);
}

/** Expands `~/` in a configured path to the home of the user that Legion runs as. */
export function expandHome(path: string, environment: EnvironmentVariables): Result<string> {
  if (!path.startsWith('~/')) return ok(path);
  const home = findHome(environment);
  return home === undefined
    ? fail(createFault('config.home_missing', `${path}: HOME is not an absolute path`))
    : ok(join(home, path.slice('~/'.length)));
}

/** Ignores a relative value of an XDG variable, which the standard declares invalid. */
function resolveBaseFolder(
  environment: EnvironmentVariables,
  variable: string,
  inHome: string,
): string | undefined {
  const home = findHome(environment);
  return keepAbsolute(environment[variable]) ?? (home === undefined ? undefined : join(home, inHome));
}

function findHome({ HOME }: EnvironmentVariables): string | undefined {
  return keepAbsolute(HOME);
}

function keepAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
