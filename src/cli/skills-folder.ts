/** Where the skills are that come with this Legion. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LegionError } from '../core/model/fault.ts';

/** In the package, two folders above this file, whether it is run as written or as built. */
export function skillsFolder(): string {
  const folder = fileURLToPath(new URL('../../skills', import.meta.url));
  if (!existsSync(folder))
    throw new LegionError(
      'agent.not_ready',
      `the skills are not in ${folder}: the installation is incomplete`,
    );
  return folder;
}
