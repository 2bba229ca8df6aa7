/** Detects Git LFS, whose files Legion does not fetch. */
import type { GitRunner } from './runner.ts';

const LFS_ATTRIBUTE = 'filter=lfs';

/** Lists a commit's `.gitattributes` files that assign files to Git LFS. */
export async function findLfsFiles(
  git: GitRunner,
  repository: string,
  commit: string,
): Promise<readonly string[]> {
  const pathspec = ['--', '.gitattributes', ':(glob)**/.gitattributes'];
  const args = ['grep', '--name-only', '-z', '--fixed-strings', '-e', LFS_ATTRIBUTE, commit, ...pathspec];
  const printed = (await git.ask(repository, args)) ?? '';
  return printed
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => name.slice(commit.length + 1));
}

export interface LfsNotice {
  readonly message: string;
  readonly next: string;
}

/**
 * Explains that workers and CI see pointers, because Legion’s git runs no filters that a repository
 * configures.
 */
export async function buildLfsNotice(
  git: GitRunner,
  repository: string,
  files: readonly string[],
): Promise<LfsNotice> {
  const fetch = 'run `git lfs pull` in a script that `commands.setup` runs';
  const isInstalled = await hasGitLfs(git, repository);
  return {
    message: `${repository} stores files in Git LFS (${files.join(', ')}). Workspaces and checkouts contain pointers instead${isInstalled ? '' : ', and git-lfs is not installed'}.`,
    next: `If tests need the files, ${isInstalled ? fetch : `install git-lfs and ${fetch}`}.`,
  };
}

async function hasGitLfs(git: GitRunner, repository: string): Promise<boolean> {
  return git.run(repository, ['lfs', 'version']).then(
    () => true,
    () => false,
  );
}
