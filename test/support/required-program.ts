/**
 * Skips a test on a machine that lacks something the test needs. The run lists the test as skipped,
 * with the reason.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'vitest';

type Skippable = Pick<TestContext, 'skip'>;

/**
 * Skips the test if the program is missing. If `CI` is set, fails instead, because CI installs
 * every program.
 */
export function skipWithoutProgram(context: Skippable, program: string): void {
  if (findProgram(program) !== undefined) return;
  const reason = `${program} is not on the PATH`;
  const { CI = '' } = process.env;
  if (CI !== '') throw new Error(`${reason}, and tests must not be skipped in CI`);
  context.skip(reason);
}

/**
 * Skips the test if the machine does not permit something. Skips even in CI, because a container
 * may lack the permission and no package can add it.
 */
export function skipUnlessPermitted(context: Skippable, isPermitted: boolean, what: string): void {
  context.skip(!isPermitted, `this machine does not permit ${what}`);
}

/** Returns the path of the first of these programs that is on the PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not installed there
  }
}
