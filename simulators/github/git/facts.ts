/**
 * Queries git about two commits: the commits and changes between them, and whether they merge
 * cleanly.
 */
import { type ChangedFile, ChangedFiles } from './changed-files.ts';
import { CommitHistory, type HistoryCommit } from './history.ts';
import { tryGit } from './run-git.ts';

/** Maximum number of concurrent merge attempts. Each attempt is a git process. */
const MAX_CONCURRENT_GIT = 4;

export class GitFacts {
  readonly #repositories = new Map<
    string,
    { readonly history: CommitHistory; readonly files: ChangedFiles }
  >();
  readonly #merges = new Map<string, Promise<string | undefined>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** Returns the tree of the merge, or undefined if it conflicts. */
  merge(folder: string, base: string, head: string): Promise<string | undefined> {
    const key = `${folder} ${base} ${head}`;
    const known = this.#merges.get(key);
    if (known !== undefined) return known;
    const asked = this.#inTurn(async () => {
      const merged = await tryGit(folder, ['merge-tree', '--write-tree', base, head]);
      return merged.code === 0 ? merged.stdout.trim() : undefined;
    });
    this.#merges.set(key, asked);
    return asked;
  }

  /**
   * Returns whether the two commits merge cleanly. Gives the same answer as `merge`, but needs no
   * process if only one side has new commits or if the sides changed different files.
   */
  async mergeable(folder: string, base: string, head: string): Promise<boolean> {
    const parted = await this.base(folder, base, head);
    if (parted === base || parted === head) return true;
    if (parted !== undefined) {
      const [theirs, ours] = await Promise.all([
        this.files(folder, parted, base),
        this.files(folder, parted, head),
      ]);
      if (hasNoSharedFiles(theirs, ours)) return true;
    }
    return (await this.merge(folder, base, head)) !== undefined;
  }

  /** Returns the changes from the merge base to the head, as a pull request shows them. */
  async files(folder: string, base: string, head: string): Promise<readonly ChangedFile[]> {
    const { files } = this.#of(folder);
    const parted = await this.base(folder, base, head);
    const [from, to] = await Promise.all([this.#commit(folder, parted ?? ''), this.#commit(folder, head)]);
    return from === undefined || to === undefined ? [] : files.between(from.tree, to.tree);
  }

  /** Returns the commits of the head that are not in the base, oldest first. */
  commits(folder: string, base: string, head: string): Promise<readonly string[]> {
    return this.#of(folder).history.between(base, head);
  }

  /** Returns the merge base. */
  base(folder: string, one: string, other: string): Promise<string | undefined> {
    return this.#of(folder).history.base(one, other);
  }

  async commit(folder: string, oid: string): Promise<HistoryCommit> {
    const commit = await this.#commit(folder, oid);
    if (commit === undefined) throw new Error(`Unknown commit ${oid}.`);
    return commit;
  }

  async exists(folder: string, oid: string): Promise<boolean> {
    return /^[0-9a-f]{40}$/.test(oid) && (await this.#commit(folder, oid)) !== undefined;
  }

  async #commit(folder: string, oid: string): Promise<HistoryCommit | undefined> {
    return oid === '' ? undefined : this.#of(folder).history.commit(oid);
  }

  #of(folder: string): { readonly history: CommitHistory; readonly files: ChangedFiles } {
    const known = this.#repositories.get(folder);
    if (known !== undefined) return known;
    const made = { history: new CommitHistory(folder), files: new ChangedFiles(folder) };
    this.#repositories.set(folder, made);
    return made;
  }

  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT_GIT)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await ask();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/**
 * Returns whether the two sides changed different files. Always false if a file was renamed or
 * copied, because git also applies renames to the changes of the other side.
 */
function hasNoSharedFiles(some: readonly ChangedFile[], others: readonly ChangedFile[]): boolean {
  const all = [...some, ...others];
  if (all.some(({ change }) => change === 'RENAMED' || change === 'COPIED')) return false;
  return some.every(({ path }) =>
    others.every(
      (other) =>
        other.path !== path && !other.path.startsWith(`${path}/`) && !path.startsWith(`${other.path}/`),
    ),
  );
}
