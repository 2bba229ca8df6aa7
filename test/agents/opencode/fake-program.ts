/** Fake OpenCode: a real executable that prints, responds and exits like the real one. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Returns the path of the executable. `body` is the source of an ES module. */
export function fakeProgram(body: string): { readonly program: string; readonly folder: string } {
  const folder = mkdtempSync(join(inject('scratch'), 'opencode-'));
  const program = join(folder, 'opencode');
  writeFileSync(join(folder, 'body.mjs'), body);
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'body.mjs')}' "$@"\n`);
  chmodSync(program, 0o700);
  return { program, folder };
}
