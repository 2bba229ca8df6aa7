/** What git is started with: our settings before anybody's, and an environment of our own making. */
import { isAbsolute } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';

export interface Surroundings {
  /** Of it git sees `PATH`, by which it is found, and `HOME`, because settings may say `~`; chosen by name, as all else. */
  readonly environment: Environment;
  /**
   * True where git works in a folder that a person works in as well, and must see it as that person's git does: line ends,
   * filters. Otherwise nobody's personal settings, ignores and attributes count.
   */
  readonly personal?: boolean | undefined;
}

export interface GitStart {
  readonly settings: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Neither a repository's settings nor its hooks may start a program or change what our commands mean. */
const OUR_SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.fsync=committed', // a merge that was acknowledged survives a power cut
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
  // A worktree is made in one place and moved to another: its link to the repository must not be relative.
  'worktree.useRelativePaths=false',
].flatMap((setting) => ['-c', setting]);

const ALWAYS = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0', // looking at a person's work tree must not get in the way of their own git
  GIT_NO_REPLACE_OBJECTS: '1', // a commit is what its SHA says
};

const NOBODYS = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  XDG_CONFIG_HOME: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_COMMITTER_NAME: 'legion',
  GIT_COMMITTER_EMAIL: 'legion@localhost',
};

/** What a person's settings, and the filters they name, need; above all no GIT_* and no secret. */
const PERSONAL: readonly string[] = ['XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'LOGNAME'];

export function gitStart({ environment, personal = false }: Surroundings): GitStart {
  const { PATH = '', HOME = '/' } = environment;
  // An empty or relative part of the search path would mean the repository's own folder, and a `git` that lies in it.
  const trusted = PATH.split(':').filter(isAbsolute).join(':');
  if (trusted === '') throw new LegionError('git.missing', 'there is no absolute folder on the search path');
  const more = personal ? chosen(environment) : NOBODYS;
  return { settings: OUR_SETTINGS, env: { ...ALWAYS, ...more, HOME, PATH: trusted } };
}

function chosen(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    PERSONAL.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
