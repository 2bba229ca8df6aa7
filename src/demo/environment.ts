/** The environment of everything the demo starts: its legion lives in the demo's folder and knows nothing of the user's. */

import { join } from 'node:path';
import type { Environment } from '../domain/environment.ts';

/** Where Legion keeps its files by the XDG standard, below the demo's folder. */
const HOMES = { XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state' } as const;

/** A legion of the user's, a repository that git was told of, and a test runner around us have no say here. */
const NOT_OURS = /^(?:LEGION_|LINEAR_|GIT_|NODE_TEST_CONTEXT$)/;

export function homesIn(folder: string): Readonly<Record<keyof typeof HOMES, string>> {
  return {
    XDG_DATA_HOME: join(folder, HOMES.XDG_DATA_HOME),
    XDG_STATE_HOME: join(folder, HOMES.XDG_STATE_HOME),
  };
}

/** `named`: variables the demo was told of, which it keeps whatever they are called. */
export function demoEnvironment(
  given: Environment,
  folder: string,
  named: readonly string[] = [],
): Environment {
  const kept = Object.entries(given).filter(([name]) => named.includes(name) || !NOT_OURS.test(name));
  return { ...Object.fromEntries(kept), ...homesIn(folder) };
}
