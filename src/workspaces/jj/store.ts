/**
 * Keeps one jj repository per repository, with a bare git repository of its own behind it. The
 * operator's checkout is only read.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { GitRunner } from '../../git/runner.ts';
import { STORE_REMOTE_NAME } from '../../ports/workspace.ts';
import { type BaseBranch, createRepositoryView, type RepositoryView } from '../git-worktree/repository.ts';
import type { JjRunner } from './runner.ts';

/** Starts with a dot, because no issue's directory does. */
export const JJ_FOLDER = '.legion-jj';

/**
 * Settings for Legion and workers alike. Commits must not disappear with a deleted remote branch,
 * and large new files must be recorded, because they are work too. Issue branches that were pushed
 * may be rebased; the base may not.
 */
const CONFIG = `[ui]
paginate = "never"
conflict-marker-style = "git"

[git]
abandon-unreachable-commits = false

[snapshot]
max-new-file-size = 0

[revset-aliases]
"immutable_heads()" = "trunk() | tags()"
`;

export function resolveConfigPath(root: string): string {
  return join(root, JJ_FOLDER, 'config.toml');
}

export interface JjStore {
  /** Real path of the directory that all worktrees of the repository share. */
  readonly common: string;
  /** Directory of the jj repository. */
  readonly path: string;
  /** The bare git repository behind the jj repository, into which jj exports bookmarks as branches. */
  readonly git: string;
  /** The backing repository as git sees it, with the repository's branches as remote branches. */
  readonly view: RepositoryView;
}

export function resolveStore(git: GitRunner, root: string, common: string): JjStore {
  const hash = createHash('sha256').update(common).digest('hex').slice(0, 12);
  const folder = join(root, JJ_FOLDER, 'stores', hash);
  const backing = join(folder, 'git');
  return {
    common,
    path: join(folder, 'jj'),
    git: backing,
    view: createRepositoryView(git, { common: backing }),
  };
}

/** Refuses a repository in which the operator's own jj would import and rewrite issue branches. */
export function refuseColocated(common: string): void {
  const checkout = dirname(common);
  if (!common.endsWith('/.git') || !existsSync(join(checkout, '.jj'))) return;
  throw new LegionError('jj.colocated', `${checkout} is a jj repository colocated with git`);
}

/** Requires the repository's lock. Creates the store if it is missing or was left half created. */
export async function ensureStore(git: GitRunner, jj: JjRunner, root: string, store: JjStore): Promise<void> {
  const config = resolveConfigPath(root);
  if (existsSync(join(store.path, '.jj')) && existsSync(config)) return;
  refuseColocated(store.common);
  const folder = dirname(store.path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(config, CONFIG);
  if (existsSync(join(store.path, '.jj'))) return;
  const unfinished = join(folder, 'unfinished');
  await Promise.all(
    [unfinished, store.path, store.git].map((path) => rm(path, { recursive: true, force: true })),
  );
  // Git links objects on the same file system, so that the copy takes no space. Sharing them instead
  // would let a garbage collection in the operator's repository remove commits that workers need.
  await git.run(folder, ['clone', '--quiet', '--bare', '--no-tags', store.common, unfinished]);
  await removeRefs(git, unfinished);
  await rename(unfinished, store.git);
  await mkdir(store.path);
  await jj.initStore(store.path, store.git);
}

/** Leaves an unborn HEAD, so that jj does not check out any files in the store. */
async function removeRefs(git: GitRunner, backing: string): Promise<void> {
  const refs = await git.run(backing, ['for-each-ref', '--format=delete %(refname)']);
  await git.answer(backing, ['update-ref', '--stdin'], { input: refs });
  await git.run(backing, ['symbolic-ref', 'HEAD', 'refs/heads/legion-none']);
  await git.run(backing, ['config', '--remove-section', 'remote.origin']);
}

export interface SyncOptions {
  /** The base branch as the repository knows it now. */
  readonly base: BaseBranch;
  /** Prefix of the repository's remote-tracking branches. */
  readonly remoteRefs: string;
}

/**
 * Copies the base and the remote-tracking branches of the repository into the store. Uses git's own
 * fetch, because jj's fetch needs a newer git.
 */
export async function syncStore(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  { base, remoteRefs }: SyncOptions,
): Promise<void> {
  const prefix = `refs/remotes/${STORE_REMOTE_NAME}/`;
  const specs = [`+${remoteRefs}*:${prefix}*`, `^${remoteRefs}HEAD`];
  const local = base.ref.startsWith('refs/heads/') ? [`+${base.ref}:${prefix}${base.name}`] : [];
  await git.run(store.git, [
    'fetch',
    '--quiet',
    '--prune',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    store.common,
    ...specs,
    ...local,
  ]);
  await jj.inStore(store.path, ['git', 'import']);
}
