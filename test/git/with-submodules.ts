/** A repository with nested submodules, all at local paths. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../ports/forge/git.ts';

export interface WithSubmodules {
  readonly repository: string;
  /** The repository that the submodule `lib` comes from. */
  readonly lib: string;
}

const LOCAL = ['-c', 'protocol.file.allow=always'] as const;

export async function makeWithSubmodules(folder: string): Promise<WithSubmodules> {
  const inner = await make(folder, 'inner');
  const lib = await make(folder, 'lib');
  await git(lib, ...LOCAL, 'submodule', '--quiet', 'add', inner, 'inner');
  await git(lib, 'commit', '--quiet', '--message=Add inner');
  const repository = await make(folder, 'app');
  await git(repository, ...LOCAL, 'submodule', '--quiet', 'add', '--name', 'libs/lib', '../lib', 'lib');
  await git(repository, 'commit', '--quiet', '--message=Add lib');
  // The same state as after a plain `git clone`: no submodule is initialised.
  await git(repository, 'submodule', '--quiet', 'deinit', '--all', '--force');
  return { repository, lib };
}

async function make(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  await git(path, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(path, `${name}.txt`), `${name}\n`);
  await git(path, 'add', '--all');
  await git(path, 'commit', '--quiet', '--message=First');
  return path;
}
