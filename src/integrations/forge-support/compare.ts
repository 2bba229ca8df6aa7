/**
 * Computes a branch's changes (relative to its base, and since an earlier commit) and whether
 * branch and base can be merged. Works in memory, without a checkout.
 */
import type { ChangeSince, ChangesSince } from '../../core/model/evidence.ts';
import { LegionError } from '../../core/model/fault.ts';
import { countOnTop, createRecentCache } from '../../git/lookup.ts';
import type { CheckedAt } from '../../ports/forge.ts';
import { SHA } from './clean-text.ts';
import type {
  CommitComparison,
  DiffEntries,
  DiffLines,
  DiffSize,
  GitRepository,
  InMemoryMergeResult,
} from './repository.ts';

const DIFFERENCE = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
const WITH_LINES = ['--numstat', '--no-ext-diff', '--no-textconv'];

/**
 * Caches results by SHA, since they depend on SHAs alone. Reading an unchanged board therefore
 * starts no processes.
 */
export function createComparison(repository: GitRepository): CommitComparison {
  const sizes = createRecentCache<DiffSize>();
  const lineCounts = createRecentCache<DiffLines>();
  const patches = createRecentCache<DiffEntries>();
  const bases = createRecentCache<string | undefined>();
  const merges = createRecentCache<InMemoryMergeResult>();

  /**
   * Builds the cache key from tree ids. A squash commit and its original branch have the same diff
   * from the base, so they share an entry.
   */
  async function computeKey(from: string, to: string): Promise<string> {
    const trees = await repository.objects([`${from}^{tree}`, `${to}^{tree}`]);
    return trees.includes(undefined) ? `${from} ${to}` : trees.join(' ');
  }

  const mergeBase: CommitComparison['mergeBase'] = (base, head, signal) =>
    bases(`${base} ${head}`, async () => {
      if ((await countOnTop(repository, base, head)) !== undefined) return base;
      const { code, out } = await repository.run(['merge-base', base, head], { signal, answers: [1] });
      return code === 0 ? out.trim() : undefined;
    });

  /** If one of the commits is an ancestor of the other, returns the descendant's tree. */
  async function findContainingTree(base: string, head: string, signal?: AbortSignal) {
    const common = await mergeBase(base, head, signal);
    if (common !== base && common !== head) return undefined;
    return (await repository.objects([`${common === base ? head : base}^{tree}`]))[0];
  }

  const merge: CommitComparison['merge'] = async (base, head, signal) => {
    const tree = await findContainingTree(base, head, signal);
    if (tree !== undefined) return { tree };
    const compute = () => mergeInMemory(repository, base, head, signal);
    const known = await merges(`${base} ${head}`, compute);
    // No reference points to the tree of a merge that did not land, so git's garbage collection may
    // have removed it.
    const isGone = 'tree' in known && (await repository.objects([known.tree]))[0] === undefined;
    return isGone ? compute() : known;
  };

  return {
    async size(from, to, signal) {
      const key = await computeKey(from, to);
      return sizes(key, async () => {
        const { out } = await repository.run([...DIFFERENCE, ...WITH_LINES, from, to], { signal });
        const { size, entries, lines } = parseDifference(out);
        await patches(key, async () => entries);
        await lineCounts(key, async () => lines);
        return size;
      });
    },
    async lines(from, to, signal) {
      const compute = async () =>
        parseDifference((await repository.run([...DIFFERENCE, ...WITH_LINES, from, to], { signal })).out)
          .lines;
      return lineCounts(await computeKey(from, to), compute);
    },
    async entries(from, to, signal) {
      const compute = async () =>
        parseDifference((await repository.run([...DIFFERENCE, from, to], { signal })).out).entries;
      return patches(await computeKey(from, to), compute);
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

/** Returns the tree of the merge, or the conflicting paths. */
export async function mergeInMemory(
  repository: GitRepository,
  ours: string,
  theirs: string,
  signal?: AbortSignal,
): Promise<InMemoryMergeResult> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
  const { code, out } = await repository.run(args, { signal, answers: [1] });
  const [tree = '', ...paths] = out.split('\0');
  return code === 0 ? { tree } : { conflicts: paths.filter((path) => path !== '') };
}

/**
 * Parses NUL-terminated pairs of ":modes objects status" and a path. With `--numstat`, lines of
 * "added TAB removed TAB path" follow, in which a binary file has "-" for both numbers.
 */
function parseDifference(output: string): ParsedDifference {
  const entries = new Map<string, string>();
  const lines = new Map<string, number | 'binary'>();
  let additions = 0;
  let deletions = 0;
  const fields = output.split('\0');
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (field.startsWith(':')) {
      index += 1;
      entries.set(fields[index] ?? '', field);
      continue;
    }
    const [added, removed, ...path] = field.split('\t');
    lines.set(path.join('\t'), added === '-' ? 'binary' : Number(added) + Number(removed));
    additions += Number(added) || 0;
    deletions += Number(removed) || 0;
  }
  return { size: { additions, deletions, changedFiles: [...entries.keys()] }, entries, lines };
}

interface ParsedDifference {
  readonly size: DiffSize;
  readonly entries: DiffEntries;
  /** Empty without `--numstat`. */
  readonly lines: DiffLines;
}

export async function findChangesSince(
  repository: GitRepository,
  comparison: CommitComparison,
  shas: readonly string[],
  at: CheckedAt,
  signal: AbortSignal,
): Promise<ChangesSince> {
  const present = await findPresentCommits(repository, [at.headSha, at.baseSha, ...shas]);
  const isReadable = present.has(at.headSha) && present.has(at.baseSha);
  const changes = new Map<string, ChangeSince | 'unknown'>();
  for (const sha of new Set(shas)) {
    const known = isReadable && present.has(sha);
    changes.set(
      sha,
      known ? await toUnknownIfUnreadable(compareCommits(comparison, sha, at, signal)) : 'unknown',
    );
  }
  return changes;
}

/**
 * Compares the branch's own work at two commits. Its work at a commit is the diff from the point
 * where the branch left the base. Diff entries contain the contents before and after, so equal
 * entries are byte-identical patches; `git patch-id` would ignore white space.
 */
async function compareCommits(
  comparison: CommitComparison,
  sha: string,
  { headSha, baseSha }: CheckedAt,
  signal: AbortSignal,
): Promise<ChangeSince> {
  const [mergeBaseBefore, mergeBaseNow] = await Promise.all([
    comparison.mergeBase(baseSha, sha, signal),
    comparison.mergeBase(baseSha, headSha, signal),
  ]);
  // A commit that is already on the base contains no work of the branch.
  if (
    mergeBaseBefore === undefined ||
    mergeBaseNow === undefined ||
    mergeBaseBefore === mergeBaseNow ||
    mergeBaseBefore === sha
  ) {
    const { changedFiles } = await comparison.size(sha, headSha, signal);
    return { own: changedFiles, overlap: [], rebased: false };
  }
  const [before, after, incoming] = await Promise.all([
    comparison.entries(mergeBaseBefore, sha, signal),
    comparison.entries(mergeBaseNow, headSha, signal),
    comparison.entries(mergeBaseBefore, mergeBaseNow, signal),
  ]);
  const changedPaths = [...new Set([...before.keys(), ...after.keys()])];
  return {
    own: changedPaths.filter((path) => !incoming.has(path) && before.get(path) !== after.get(path)),
    overlap: changedPaths.filter((path) => incoming.has(path)),
    rebased: true,
  };
}

async function toUnknownIfUnreadable(comparing: Promise<ChangeSince>): Promise<ChangeSince | 'unknown'> {
  try {
    return await comparing;
  } catch (error) {
    if (error instanceof LegionError && error.code !== 'git.interrupted') return 'unknown';
    throw error;
  }
}

export async function findPresentCommits(
  repository: GitRepository,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(names)].filter((name) => SHA.test(name));
  const commits = await Promise.all(wanted.map((name) => repository.commit(name)));
  // A name that resolves to a different commit id, such as the id of a tag, is not treated as
  // present.
  return new Set(wanted.filter((name, index) => commits[index] === name));
}
