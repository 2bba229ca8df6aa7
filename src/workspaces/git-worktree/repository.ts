/** What a repository is: its common folder, and the branch that the work of an issue begins at and returns to. */
import { access, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import type { Git } from '../../git/runner.ts';
import { unlessAbsent } from './faults.ts';

/** The real path of the folder that all worktrees of the repository share. */
export async function commonFolder(git: Git, repository: string): Promise<string> {
  const folder = await unlessAbsent(realpath(repository));
  // Looked at here, because git would go on looking in the folders above.
  if (folder === undefined || !((await there(folder, '.git')) || (await isBare(folder)))) {
    throw new LegionError('workspace.not_a_repository', `${repository} is not a git repository`);
  }
  const printed = await git.run(folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return realpath(printed.trimEnd());
}

export interface BaseOptions {
  /**
   * The branch's short name. Where none is given: what the remote calls its HEAD; the HEAD of a bare repository; `main`
   * or `master`; the branch that is checked out.
   */
  readonly base?: string | undefined;
  /** The forge's remote; `origin` where none is named, and `none` where the forge is this repository itself. */
  readonly remote?: string | { readonly none: true } | undefined;
}

export interface Base {
  /** `refs/remotes/origin/main` or `refs/heads/main`. */
  readonly ref: string;
  readonly name: string;
  readonly commit: string;
}

export async function baseOf(git: Git, common: string, { base, remote }: BaseOptions): Promise<Base> {
  const remoteRefs = remoteRefsOf(remote);
  const tried: string[] = [];
  for await (const ref of base === undefined ? usual(git, common, remoteRefs) : named(base, remoteRefs)) {
    const commit = await commitOf(git, common, ref);
    if (commit !== undefined) {
      const name = ref.replace(remoteRefs, '').replace('refs/heads/', '');
      return { ref, name, commit };
    }
    tried.push(ref);
  }
  if ((await git.run(common, ['rev-list', '--all', '--max-count=1'])) === '') {
    throw new LegionError('workspace.no_commit', `${common} has no commit`);
  }
  throw new LegionError('workspace.base_missing', `${common} has none of ${tried.join(', ')}`);
}

const NO_REMOTE = 'refs/legion/no-remote/';

/** Where there is no remote, a place nothing is ever kept in: remotes of the user's own are none of our business. */
export function remoteRefsOf(remote: BaseOptions['remote'] = 'origin'): string {
  return typeof remote === 'string' ? `refs/remotes/${remote}/` : NO_REMOTE;
}

export async function commitOf(git: Git, folder: string, ref: string): Promise<string | undefined> {
  return (await git.ask(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]))?.trim();
}

function* named(base: string, remoteRefs: string): Generator<string> {
  if (remoteRefs !== NO_REMOTE) yield remoteRefs + base;
  yield `refs/heads/${base}`;
}

/** One by one, because in a clone the first is there. */
async function* usual(git: Git, common: string, remoteRefs: string): AsyncGenerator<string> {
  const target = async (ref: string) => (await git.ask(common, ['symbolic-ref', '--quiet', ref]))?.trim();
  const remote = await target(`${remoteRefs}HEAD`);
  if (remote !== undefined) yield remote;
  const head = await target('HEAD');
  const bare = (await git.ask(common, ['config', '--type=bool', 'core.bare']))?.trim() === 'true';
  if (bare && head !== undefined) yield head;
  yield* ['refs/heads/main', 'refs/heads/master'];
  if (head !== undefined) yield head;
}

async function isBare(folder: string): Promise<boolean> {
  return (await there(folder, 'HEAD')) && (await there(folder, 'objects'));
}

async function there(folder: string, name: string): Promise<boolean> {
  return (await unlessAbsent(access(join(folder, name)).then(() => true))) ?? false;
}
