/** Where Legion keeps its files, by the XDG base directory specification. */
import { isAbsolute, join } from 'node:path';
import { failed, fault, ok, type Result } from '../core/model/fault.ts';
import { folderName, type IssueId } from '../core/model/ids.ts';
import type { Environment } from '../domain/environment.ts';

/** Every part that comes from outside goes through `folderName`: none can leave its parent or meet another. */
export interface LegionPaths {
  clone(host: string, owner: string, repo: string): string;
  workspaces(legion: string): string;
  workspace(legion: string, issue: IssueId): string;
  state(legion: string): string;
  /** The folder of the state folders of all legions. */
  readonly states: string;
  /** The list of legion.yaml files that `legion init` has written on this machine. */
  readonly legionFiles: string;
}

export function legionPaths(environment: Environment): Result<LegionPaths> {
  const data = baseFolder(environment, 'XDG_DATA_HOME', '.local/share');
  const state = baseFolder(environment, 'XDG_STATE_HOME', '.local/state');
  if (data === undefined || state === undefined) {
    const name = data === undefined ? 'XDG_DATA_HOME' : 'XDG_STATE_HOME';
    return failed(fault('config.home_missing', `neither HOME nor ${name} is an absolute path`));
  }
  const workspaces = (legion: string) => join(data, 'legion', 'workspaces', folderName(legion));
  const states = join(state, 'legion', 'legions');
  return ok({
    clone: (...parts) => join(data, 'legion', 'repos', ...parts.map(folderName)),
    workspaces,
    workspace: (legion, issue) => join(workspaces(legion), folderName(issue)),
    state: (legion) => join(states, folderName(legion)),
    states,
    legionFiles: join(state, 'legion', 'legion-files.json'),
  });
}

/** Where workspaces of the legion are made. */
export function workspaceRoot(
  {
    legion,
    workspaces,
  }: { readonly legion: string; readonly workspaces: { readonly root?: string | undefined } },
  paths: LegionPaths,
  environment: Environment,
): Result<string> {
  return workspaces.root === undefined
    ? ok(paths.workspaces(legion))
    : expandHome(workspaces.root, environment);
}

/** A path of the configuration: `~/` is the home of the user Legion runs as. */
export function expandHome(path: string, environment: Environment): Result<string> {
  if (!path.startsWith('~/')) return ok(path);
  const home = homeIn(environment);
  return home === undefined
    ? failed(fault('config.home_missing', `${path}: HOME is not an absolute path`))
    : ok(join(home, path.slice('~/'.length)));
}

/** The standard: a relative value of an XDG variable is invalid and ignored. */
function baseFolder(environment: Environment, variable: string, inHome: string): string | undefined {
  const home = homeIn(environment);
  return absolute(environment[variable]) ?? (home === undefined ? undefined : join(home, inHome));
}

function homeIn({ HOME }: Environment): string | undefined {
  return absolute(HOME);
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
