/** The Stop hook as a program of its own: agents run hooks through a shell, and a path is all that shell is to see. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../domain/shell-word.ts';

/** Resolves to nothing but a path, quoted for the shell that will read it. */
export function writeHookScript(folder: string, argv: readonly string[]): string {
  const file = join(folder, 'stop-hook.sh');
  writeFileSync(file, `#!/bin/sh\nexec ${argv.map(shellWord).join(' ')}\n`, { mode: 0o700 });
  return shellWord(file);
}
