/**
 * Describes a repository: its common directory, the branch that work starts from, and facts cached
 * to avoid a process per lookup.
 */
import { access, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { createOneShotLookup, createRecentCache, type ObjectLookup } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import { createWorkTreeFinder, LIST_WORK_TREES, type WorkTreeFinder } from '../../git/work-trees.ts';
import { readIfPresent } from './faults.ts';

/** Returns the real path of the directory that all worktrees of the repository share. */
export async function requireCommonFolder(git: GitRunner, repository: string): Promise<string> {
  const folder = await readIfPresent(realpath(repository));
  // Checked here, because git would also search the parent directories.
  if (folder === undefined || !((await hasEntry(folder, '.git')) || (await isBare(folder)))) {
    throw new LegionError('workspace.not_a_repository', `${repository} is not a git repository`);
  }
  const printed = await git.run(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return realpath(printed.trimEnd());
}

export interface RepositoryView {
  readonly common: string;
  readonly lookup: ObjectLookup;
  readonly workTreesOn: WorkTreeFinder;
  findBase(): Promise<BaseBranch>;
  /** Both caches are keyed by commits, because the results depend only on them. */
  readonly distances: CachedAnswer<{ readonly ahead: number; readonly behind: number }>;
  readonly conflicts: CachedAnswer<readonly string[]>;
}

type CachedAnswer<T> = (commits: string, compute: () => Promise<T>) => Promise<T>;

export interface RepositoryViewOptions extends BaseOptions {
  readonly common: string;
  readonly lookup?: ObjectLookup | undefined;
}

export function createRepositoryView(git: GitRunner, options: RepositoryViewOptions): RepositoryView {
  const { common, lookup = createOneShotLookup(git, common) } = options;
  return {
    common,
    lookup,
    workTreesOn: createWorkTreeFinder(common, () => git.run(common, LIST_WORK_TREES)),
    findBase: createBaseFinder(git, common, options, lookup),
    distances: createRecentCache(),
    conflicts: createRecentCache(),
  };
}

async function isBare(folder: string): Promise<boolean> {
  return (await hasEntry(folder, 'HEAD')) && (await hasEntry(folder, 'objects'));
}

async function hasEntry(folder: string, name: string): Promise<boolean> {
  return (await readIfPresent(access(join(folder, name)).then(() => true))) ?? false;
}

export interface BaseOptions {
  /**
   * The branch's short name. Default, in this order: the HEAD of the remote; the HEAD of a bare
   * repository; `main` or `master`; the checked-out branch.
   */
  readonly base?: string | undefined;
  /**
   * The name of the forge's remote. Defaults to `origin`. `none` is set if the forge is this
   * repository itself.
   */
  readonly remote?: string | { readonly none: true } | undefined;
}

export interface BaseBranch {
  /** `refs/remotes/origin/main` or `refs/heads/main`. */
  readonly ref: string;
  readonly name: string;
  readonly commit: string;
}

export function findBaseBranch(git: GitRunner, common: string, options: BaseOptions): Promise<BaseBranch> {
  return createBaseFinder(git, common, options, createOneShotLookup(git, common))();
}

/**
 * Asks git for the candidate branches once, and again when `HEAD` of the repository or its remote
 * points to another branch. Checks on every call which candidates exist and which commits they
 * point to.
 */
function createBaseFinder(
  git: GitRunner,
  common: string,
  { base, remote }: BaseOptions,
  lookup: ObjectLookup,
): () => Promise<BaseBranch> {
  const remoteRefs = resolveRemoteRefs(remote);
  let learned: { readonly heads: string; readonly refs: readonly string[] } | undefined;

  async function listCandidates(): Promise<readonly string[]> {
    if (base !== undefined) return listNamedRefs(base, remoteRefs);
    const heads = await readHeads(common, remoteRefs);
    if (learned?.heads !== heads) learned = { heads, refs: await listUsualRefs(git, common, remoteRefs) };
    return learned.refs;
  }

  return async () => {
    const refs = await listCandidates();
    const commits = await lookup.objects(refs.map((ref) => `${ref}^{commit}`));
    for (const [index, ref] of refs.entries()) {
      const commit = commits[index];
      if (commit !== undefined) return { ref, name: toBranchName(ref, remoteRefs), commit };
    }
    if ((await git.run(common, ['rev-list', '--all', '--max-count=1'])) === '') {
      throw new LegionError('workspace.no_commit', `${common} has no commit`);
    }
    throw new LegionError('workspace.base_missing', `${common} has none of ${refs.join(', ')}`);
  };
}

const NO_REMOTE_REFS = 'refs/legion/no-remote/';

/** Without a remote, returns a prefix that is always empty: the user's own remotes are ignored. */
export function resolveRemoteRefs(remote: BaseOptions['remote'] = 'origin'): string {
  return typeof remote === 'string' ? `refs/remotes/${remote}/` : NO_REMOTE_REFS;
}

function toBranchName(ref: string, remoteRefs: string): string {
  return ref.replace(remoteRefs, '').replace('refs/heads/', '');
}

function listNamedRefs(base: string, remoteRefs: string): readonly string[] {
  return [...(remoteRefs === NO_REMOTE_REFS ? [] : [remoteRefs + base]), `refs/heads/${base}`];
}

async function readHeads(common: string, remoteRefs: string): Promise<string> {
  const files = [join(common, 'HEAD'), join(common, `${remoteRefs}HEAD`)];
  const texts = await Promise.all(files.map((file) => readIfPresent(readFile(file, 'utf8'))));
  return JSON.stringify(texts);
}

async function listUsualRefs(git: GitRunner, common: string, remoteRefs: string): Promise<readonly string[]> {
  const resolveTarget = async (ref: string) =>
    (await git.ask(common, ['symbolic-ref', '--quiet', ref]))?.trim();
  const [remote, head, bare] = await Promise.all([
    remoteRefs === NO_REMOTE_REFS ? undefined : resolveTarget(`${remoteRefs}HEAD`),
    resolveTarget('HEAD'),
    git.ask(common, ['config', '--type=bool', 'core.bare']),
  ]);
  const isBare = bare?.trim() === 'true';
  const refs = [remote, isBare ? head : undefined, 'refs/heads/main', 'refs/heads/master', head];
  return [...new Set(refs.filter((ref) => ref !== undefined))];
}
