/** What a branch changes against its base, and whether the two can be merged: found in memory, nothing is checked out. */
import { LegionError } from '../domain/fault.ts';
import type { Mergeable, PullRequest } from '../domain/pull-request.ts';
import { lately } from '../git/lately.ts';
import type { Repository } from './repository.ts';

type Size = Pick<PullRequest, 'additions' | 'deletions' | 'changedFiles'>;

export interface Comparison {
  /** From one commit to another; a renamed file counts as removed and added, so that no path stays unseen. */
  size(from: string, to: string, signal?: AbortSignal): Promise<Size>;
  /** Each path that differs, with the modes and contents on both sides: two equal entries are the same change. */
  entries(from: string, to: string, signal?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** The commit both have in common; none where they share no history. */
  mergeBase(base: string, head: string, signal?: AbortSignal): Promise<string | undefined>;
  /** `unknown` where git is too old, or failed. */
  mergeable(base: string, head: string, signal?: AbortSignal): Promise<Mergeable>;
}

/** All answers follow from SHAs alone, so a board on which nothing moved costs nothing. */
export function comparison(repository: Repository): Comparison {
  const sizes = lately<Size>();
  const patches = lately<ReadonlyMap<string, string>>();
  const bases = lately<string | undefined>();
  const verdicts = lately<Mergeable>();
  return {
    size: (from, to, signal) =>
      sizes(`${from} ${to}`, async () => {
        const args = ['diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv'];
        return readNumstat((await repository.run([...args, from, to], { signal })).out);
      }),
    entries: (from, to, signal) =>
      patches(`${from} ${to}`, async () => {
        const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
        return readRaw((await repository.run([...args, from, to], { signal })).out);
      }),
    mergeBase: (base, head, signal) =>
      bases(`${base} ${head}`, async () => {
        const { code, out } = await repository.run(['merge-base', base, head], { signal, answers: [1] });
        return code === 0 ? out.trim() : undefined;
      }),
    async mergeable(base, head, signal) {
      try {
        return await verdicts(`${base} ${head}`, async () => {
          const merged = await mergeInMemory(repository, base, head, signal);
          return 'tree' in merged ? 'mergeable' : 'conflicting';
        });
      } catch (error) {
        if (error instanceof LegionError && error.code !== 'git.interrupted') return 'unknown';
        throw error;
      }
    },
  };
}

/** The tree of the merge, or the paths in conflict. */
export async function mergeInMemory(
  repository: Repository,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<{ readonly tree: string } | { readonly conflicts: readonly string[] }> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const { code, out } = await repository.run(args, { signal, answers: [1] });
  const [tree = '', ...paths] = out.split('\0');
  return code === 0 ? { tree } : { conflicts: paths.filter((path) => path !== '') };
}

/** Lines of "added TAB removed TAB path", each ended by NUL; a binary file has "-" for both. */
function readNumstat(out: string): Size {
  let additions = 0;
  let deletions = 0;
  const changedFiles: string[] = [];
  for (const line of out.split('\0')) {
    const [added, removed, ...path] = line.split('\t');
    if (path.length === 0) continue;
    additions += Number(added) || 0;
    deletions += Number(removed) || 0;
    changedFiles.push(path.join('\t'));
  }
  return { additions, deletions, changedFiles };
}

/** Pairs of ":modes objects status" and a path, each ended by NUL. */
function readRaw(out: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  const fields = out.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 2) {
    entries.set(fields[index + 1] ?? '', fields[index] ?? '');
  }
  return entries;
}
