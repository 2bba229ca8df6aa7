/** Finds the branch that the work of an issue begins at and returns to. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { lookupOnce, type ObjectLookup } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import { unlessAbsent } from './faults.ts';

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

export function baseOf(git: Git, common: string, options: BaseOptions): Promise<Base> {
  return baseFinder(git, common, options, lookupOnce(git, common))();
}

/**
 * Which branches come into question is learned from git once, and again when `HEAD` of the repository or of its remote names
 * another branch. Which of them there are, and where they stand, is looked up each time.
 */
export function baseFinder(
  git: Git,
  common: string,
  { base, remote }: BaseOptions,
  lookup: ObjectLookup,
): () => Promise<Base> {
  const remoteRefs = remoteRefsOf(remote);
  let learned: { readonly heads: string; readonly refs: readonly string[] } | undefined;

  async function candidates(): Promise<readonly string[]> {
    if (base !== undefined) return named(base, remoteRefs);
    const heads = await headsIn(common, remoteRefs);
    if (learned?.heads !== heads) learned = { heads, refs: await usual(git, common, remoteRefs) };
    return learned.refs;
  }

  return async () => {
    const refs = await candidates();
    const commits = await lookup.objects(refs.map((ref) => `${ref}^{commit}`));
    for (const [index, ref] of refs.entries()) {
      const commit = commits[index];
      if (commit !== undefined) return { ref, name: nameOf(ref, remoteRefs), commit };
    }
    if ((await git.run(common, ['rev-list', '--all', '--max-count=1'])) === '') {
      throw new LegionError('workspace.no_commit', `${common} has no commit`);
    }
    throw new LegionError('workspace.base_missing', `${common} has none of ${refs.join(', ')}`);
  };
}

const NO_REMOTE = 'refs/legion/no-remote/';

/** Where there is no remote, a place nothing is ever kept in: remotes of the user's own are none of our business. */
export function remoteRefsOf(remote: BaseOptions['remote'] = 'origin'): string {
  return typeof remote === 'string' ? `refs/remotes/${remote}/` : NO_REMOTE;
}

function nameOf(ref: string, remoteRefs: string): string {
  return ref.replace(remoteRefs, '').replace('refs/heads/', '');
}

function named(base: string, remoteRefs: string): readonly string[] {
  return [...(remoteRefs === NO_REMOTE ? [] : [remoteRefs + base]), `refs/heads/${base}`];
}

async function headsIn(common: string, remoteRefs: string): Promise<string> {
  const files = [join(common, 'HEAD'), join(common, `${remoteRefs}HEAD`)];
  const texts = await Promise.all(files.map((file) => unlessAbsent(readFile(file, 'utf8'))));
  return JSON.stringify(texts);
}

async function usual(git: Git, common: string, remoteRefs: string): Promise<readonly string[]> {
  const target = async (ref: string) => (await git.ask(common, ['symbolic-ref', '--quiet', ref]))?.trim();
  const [remote, head, bare] = await Promise.all([
    remoteRefs === NO_REMOTE ? undefined : target(`${remoteRefs}HEAD`),
    target('HEAD'),
    git.ask(common, ['config', '--type=bool', 'core.bare']),
  ]);
  const isBare = bare?.trim() === 'true';
  const refs = [remote, isBare ? head : undefined, 'refs/heads/main', 'refs/heads/master', head];
  return [...new Set(refs.filter((ref) => ref !== undefined))];
}
