/** How this very Legion is started again: with the Node that runs it now, which is new enough. */
import { fileURLToPath } from 'node:url';

export function launcher(): readonly [string, ...string[]] {
  return [process.execPath, fileURLToPath(new URL('../../bin/legion.js', import.meta.url))];
}
