/** The Stop hook as a program of its own: agents run hooks through a shell, and a path is all that shell is to see. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Resolves to nothing but a path, quoted for the shell that will read it. */
export function writeHookScript(folder: string, argv: readonly string[]): string {
  const file = join(folder, 'stop-hook.sh');
  writeFileSync(file, `#!/bin/sh\nexec ${argv.map(quoted).join(' ')}\n`, { mode: 0o700 });
  return quoted(file);
}

/** As one word for a POSIX shell, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
