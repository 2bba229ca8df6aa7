/** A folder that lives as long as a whole run, for what tests of several files share. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly scratch: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-scratch-')));
  provide('scratch', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
