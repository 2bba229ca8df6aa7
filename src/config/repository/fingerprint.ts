/** The content of a repository's commands as one short text, so that an approval holds for exactly that content. */
import { createHash } from 'node:crypto';
import type { RepositoryConfig } from './schema.ts';

/** Changes when the meaning of a command does: every approval is then asked for again. */
const FORM = 'legion commands 1';

/** The same whatever the order of keys, the layout or the comments of the file; another for every other command. */
export function commandsFingerprint({ commands }: Pick<RepositoryConfig, 'commands'>): string {
  const given = Object.entries(commands)
    .filter(([, argv]) => argv !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([FORM, given]))
    .digest('hex');
}
