/** Locates this installation of Legion: its launcher, version and skills. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LegionError } from '../core/model/fault.ts';

/**
 * Returns the command line that starts this Legion again. Uses the current Node, whose version is
 * known to be new enough.
 */
export function getLauncher(): readonly [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL('../../bin/legion.js', import.meta.url))];
}

/** Reads the version of this Legion from its package.json. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}

/**
 * Returns the directory of the skills that ship with this Legion. It is two directories above this
 * file, both in the source tree and in a build.
 */
export function requireSkillsFolder(): string {
  const folder = fileURLToPath(new URL('../../skills', import.meta.url));
  if (!existsSync(folder))
    throw new LegionError(
      'agent.not_ready',
      `The skills are missing from ${folder}. The installation is incomplete.`,
    );
  return folder;
}
