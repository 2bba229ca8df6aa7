/** Repositories that tests make for the scripted agent: marked as a demo's, so that its work may be merged into them. */
import { mkdirSync } from 'node:fs';
import type { LegionPaths } from '../../src/config/paths.ts';
import { DEMO_MARK } from '../../src/domain/scripted.ts';
import { git } from '../ports/forge/git.ts';

export async function markAsDemo(repository: string): Promise<void> {
  await git(repository, 'config', '--local', DEMO_MARK, 'true');
}

/** The clone a daemon will use of a repository on a simulated GitHub. */
export async function makeDemoClone(paths: LegionPaths, url: string, repo: string): Promise<void> {
  const [owner = '', name = ''] = repo.split('/');
  const clone = paths.clone(new URL(url).host, owner, name);
  mkdirSync(clone, { recursive: true, mode: 0o700 });
  await git(clone, 'init', '--quiet', '--bare', '.');
  await markAsDemo(clone);
}
