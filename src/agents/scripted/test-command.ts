/** Finds out how the tests of a repository are run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({ scripts: z.object({ test: z.string().min(1) }) });

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = 'no test specified';

/** Undefined where the repository does not say. */
export async function testCommand(workspace: string): Promise<readonly [string, ...string[]] | undefined> {
  const manifest = manifestSchema.safeParse(await readManifest(workspace));
  const declares = manifest.success && !manifest.data.scripts.test.includes(PLACEHOLDER);
  return declares ? ['npm', 'test'] : undefined;
}

async function readManifest(workspace: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(workspace, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
