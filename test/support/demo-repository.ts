/**
 * Creates repositories for the scripted agent, marked as demo repositories so that its work may be
 * merged.
 */
import { mkdirSync } from 'node:fs';
import type { LegionPaths } from '../../src/config/paths.ts';
import { DEMO_MARK } from '../../src/core/model/environment.ts';
import { git } from '../ports/forge/git.ts';

export async function markAsDemo(repository: string): Promise<void> {
  await git(repository, 'config', '--local', DEMO_MARK, 'true');
}

/** Creates the clone that a daemon will use for a repository on a simulated GitHub. */
export async function makeDemoClone(paths: LegionPaths, url: string, repo: string): Promise<void> {
  const [owner = '', name = ''] = repo.split('/');
  const clone = paths.clone(new URL(url).host, owner, name);
  mkdirSync(clone, { recursive: true, mode: 0o700 });
  await git(clone, 'init', '--quiet', '--bare', '.');
  await markAsDemo(clone);
}
