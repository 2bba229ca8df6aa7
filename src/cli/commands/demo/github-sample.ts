/** The sample project on GitHub: a clone of it in the demo's folder, and whether it is the project that the issues are about. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LegionPaths } from '../../../config/paths.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { repositoryName } from '../../../daemon/compose-clone.ts';
import { git } from '../../../demo/git.ts';
import { markAsDemo, repositoryIn } from '../../../demo/lay-out.ts';
import type { DemoGithub } from '../../../demo/on-github.ts';
import { PROJECT } from '../../../demo/project/project.ts';
import type { Environment } from '../../../domain/environment.ts';

/** Rejects where its main branch is another project, or this one after a demo. */
export async function cloneSample(
  { url, repo }: DemoGithub,
  folder: string,
  environment: Environment,
): Promise<void> {
  const clone = repositoryIn(folder);
  await git(folder, ['clone', '--quiet', '--branch=main', `${url}/${repo}.git`, clone], environment);
  const other = Object.entries(PROJECT).find(([path, text]) => contentOf(join(clone, path)) !== text);
  if (other !== undefined)
    throw new LegionError('demo.repository_other', `${other[0]} of ${repo} is not as in the sample project`);
}

/** The clone that the daemon will work with: made here, so that nobody but the demo marks it. */
export async function makeDemoClone(
  { url, repo }: DemoGithub,
  paths: LegionPaths,
  environment: Environment,
): Promise<void> {
  const { owner, name } = repositoryName(repo);
  const clone = paths.clone(new URL(url).host, owner, name);
  mkdirSync(clone, { recursive: true, mode: 0o700 });
  await git(clone, ['init', '--quiet', '--bare', '.'], environment);
  await markAsDemo(clone, environment);
}

/** What was merged on GitHub comes here. */
export async function bringSample(repository: string, environment: Environment): Promise<void> {
  await git(repository, ['pull', '--quiet', '--ff-only'], environment);
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
