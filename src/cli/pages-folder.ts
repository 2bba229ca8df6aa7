/** Where the built dashboard lies: in an installation beside the program, in a clone where it was last built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a build writes into `current`. */
const NAME = /^[0-9a-f]{16}$/;

/** Two folders above this file, whether it is run as written or as built. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What builds the dashboard of a clone; undefined in an installation, which has it. */
export function pagesBuilder(): string | undefined {
  return import.meta.url.endsWith('.ts') ? join(ROOT, 'scripts/web.ts') : undefined;
}

/** Asked each time a page is opened: in a clone it may have been built anew. */
export function pagesFolder(): string | undefined {
  if (pagesBuilder() === undefined) return join(ROOT, 'dist/web');
  const cache = join(ROOT, 'node_modules/.cache/legion-web');
  try {
    const name = readFileSync(join(cache, 'current'), 'utf8').trim();
    return NAME.test(name) ? join(cache, name) : undefined;
  } catch {
    return undefined; // not built yet
  }
}
