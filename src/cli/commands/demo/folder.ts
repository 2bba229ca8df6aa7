/** The folder a demo gets: a new one for temporary files, or the one that was named, if there is nothing in it. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LegionError } from '../../../domain/fault.ts';

export function claimFolder(named: string | undefined, cwd: string): string {
  const path = named === undefined ? join(tmpdir(), 'legion-demo-') : resolve(cwd, named);
  try {
    if (named === undefined) return realpathSync(mkdtempSync(path));
    mkdirSync(path, { recursive: true });
    if (readdirSync(path).length === 0) return realpathSync(path);
  } catch (error) {
    throw new LegionError('demo.folder_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
  throw new LegionError('demo.folder_taken', `${path} has something in it`);
}
