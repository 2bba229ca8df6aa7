/** Finds out whether a repository keeps files in Git LFS, and what that means for workspaces and checkouts. */
import type { Git } from './runner.ts';

const LFS_ATTRIBUTE = 'filter=lfs';

/** The `.gitattributes` files of a commit that hand files over to LFS. */
export async function findLfsFiles(git: Git, repository: string, commit: string): Promise<readonly string[]> {
  const where = ['--', '.gitattributes', ':(glob)**/.gitattributes'];
  const args = ['grep', '--name-only', '-z', '--fixed-strings', '-e', LFS_ATTRIBUTE, commit, ...where];
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

/** Workers and CI see pointers, because Legion’s git runs no filters that a repository names. */
export async function lfsNotice(git: Git, repository: string, files: readonly string[]): Promise<LfsNotice> {
  const fetch = 'run `git lfs pull` in a script that `commands.setup` runs';
  const isInstalled = await hasGitLfs(git, repository);
  return {
    message: `${repository} keeps files in Git LFS (${files.join(', ')}); workspaces and checkouts contain pointers in their place${isInstalled ? '' : ', and git-lfs is not installed'}.`,
    next: `Where tests need their content, ${isInstalled ? fetch : `install git-lfs and ${fetch}`}.`,
  };
}

async function hasGitLfs(git: Git, repository: string): Promise<boolean> {
  return git.run(repository, ['lfs', 'version']).then(
    () => true,
    () => false,
  );
}
