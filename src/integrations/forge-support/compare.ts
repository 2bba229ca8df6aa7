/** What a branch changes against its base, and whether the two can be merged: found in memory, nothing is checked out. */
import { LegionError } from '../../core/model/fault.ts';
import type { Mergeable, PullRequest } from '../../core/model/pull-request.ts';
import { lately } from '../../git/lately.ts';
import { countOnTop } from '../../git/lookup.ts';
import type { Repository } from './repository.ts';

type Size = Pick<PullRequest, 'additions' | 'deletions' | 'changedFiles'>;
type Entries = ReadonlyMap<string, string>;
type MergeResult = { readonly tree: string } | { readonly conflicts: readonly string[] };

export interface Comparison {
  /** From one commit to another; a renamed file counts as removed and added, so that no path stays unseen. */
  size(from: string, to: string, signal?: AbortSignal): Promise<Size>;
  /** Each path that differs, with the modes and contents on both sides: two equal entries are the same change. */
  entries(from: string, to: string, signal?: AbortSignal): Promise<Entries>;
  /** The commit both have in common; none where they share no history. */
  mergeBase(base: string, head: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The tree of the merge, or the paths in conflict. */
  merge(base: string, head: string, signal?: AbortSignal): Promise<MergeResult>;
  /** `unknown` where git is too old, or failed. */
  mergeable(base: string, head: string, signal?: AbortSignal): Promise<Mergeable>;
}

const DIFFERENCE = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
const WITH_LINES = ['--numstat', '--no-ext-diff', '--no-textconv'];

/** All answers follow from SHAs alone, so a board on which nothing moved costs nothing. */
export function comparison(repository: Repository): Comparison {
  const sizes = lately<Size>();
  const patches = lately<Entries>();
  const bases = lately<string | undefined>();
  const merges = lately<MergeResult>();

  /** By content: a squash and the branch it was made of differ from the base in the same way. */
  async function keyOf(from: string, to: string): Promise<string> {
    const trees = await repository.objects([`${from}^{tree}`, `${to}^{tree}`]);
    return trees.includes(undefined) ? `${from} ${to}` : trees.join(' ');
  }

  const mergeBase: Comparison['mergeBase'] = (base, head, signal) =>
    bases(`${base} ${head}`, async () => {
      if ((await countOnTop(repository, base, head)) !== undefined) return base;
      const { code, out } = await repository.run(['merge-base', base, head], { signal, answers: [1] });
      return code === 0 ? out.trim() : undefined;
    });

  /** Where one of the two contains the other, the merge has the files of that one. */
  async function treeOfContaining(base: string, head: string, signal?: AbortSignal) {
    const common = await mergeBase(base, head, signal);
    if (common !== base && common !== head) return undefined;
    return (await repository.objects([`${common === base ? head : base}^{tree}`]))[0];
  }

  const merge: Comparison['merge'] = async (base, head, signal) => {
    const tree = await treeOfContaining(base, head, signal);
    if (tree !== undefined) return { tree };
    const ask = () => mergeInMemory(repository, base, head, signal);
    const known = await merges(`${base} ${head}`, ask);
    // Nothing refers to the tree of a merge that did not land: a cleanup of the repository may have removed it.
    const isGone = 'tree' in known && (await repository.objects([known.tree]))[0] === undefined;
    return isGone ? ask() : known;
  };

  return {
    async size(from, to, signal) {
      const key = await keyOf(from, to);
      return sizes(key, async () => {
        const { out } = await repository.run([...DIFFERENCE, ...WITH_LINES, from, to], { signal });
        const { size, entries } = readDifference(out);
        await patches(key, async () => entries);
        return size;
      });
    },
    async entries(from, to, signal) {
      const ask = async () =>
        readDifference((await repository.run([...DIFFERENCE, from, to], { signal })).out).entries;
      return patches(await keyOf(from, to), ask);
    },
    mergeBase,
    merge,
    async mergeable(base, head, signal) {
      try {
        return 'tree' in (await merge(base, head, signal)) ? 'mergeable' : 'conflicting';
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
): Promise<MergeResult> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const { code, out } = await repository.run(args, { signal, answers: [1] });
  const [tree = '', ...paths] = out.split('\0');
  return code === 0 ? { tree } : { conflicts: paths.filter((path) => path !== '') };
}

/**
 * Pairs of ":modes objects status" and a path, each ended by NUL; behind them, where they were asked for, lines of
 * "added TAB removed TAB path". A binary file has "-" for both numbers.
 */
function readDifference(out: string): { readonly size: Size; readonly entries: Entries } {
  const entries = new Map<string, string>();
  let additions = 0;
  let deletions = 0;
  const fields = out.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (field.startsWith(':')) {
      index += 1;
      entries.set(fields[index] ?? '', field);
      continue;
    }
    const [added, removed] = field.split('\t');
    additions += Number(added) || 0;
    deletions += Number(removed) || 0;
  }
  return { size: { additions, deletions, changedFiles: [...entries.keys()] }, entries };
}
