/** What git says about commits: what lies between two of them, and whether they merge. */
import { type ChangedFile, ChangedFiles } from './changed-files.ts';
import { type Commit, History } from './history.ts';
import { attempt } from './run-git.ts';

/** How many merges are tried at once; each is a process. */
const MOST_AT_ONCE = 4;

export class GitFacts {
  readonly #repositories = new Map<string, { readonly history: History; readonly files: ChangedFiles }>();
  readonly #merges = new Map<string, Promise<string | undefined>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** The tree of the merge, or undefined where it conflicts. */
  merge(folder: string, base: string, head: string): Promise<string | undefined> {
    const key = `${folder} ${base} ${head}`;
    const known = this.#merges.get(key);
    if (known !== undefined) return known;
    const asked = this.#inTurn(async () => {
      const merged = await attempt(folder, ['merge-tree', '--write-tree', base, head]);
      return merged.code === 0 ? merged.stdout.trim() : undefined;
    });
    this.#merges.set(key, asked);
    return asked;
  }

  /** As `merge` decides, but without a process where it is plain: one side has moved, or they have touched other files. */
  async mergeable(folder: string, base: string, head: string): Promise<boolean> {
    const parted = await this.base(folder, base, head);
    if (parted === base || parted === head) return true;
    if (parted !== undefined) {
      const [theirs, ours] = await Promise.all([
        this.files(folder, parted, base),
        this.files(folder, parted, head),
      ]);
      if (areApart(theirs, ours)) return true;
    }
    return (await this.merge(folder, base, head)) !== undefined;
  }

  /** From where the two parted to the head, as a pull request shows it. */
  async files(folder: string, base: string, head: string): Promise<readonly ChangedFile[]> {
    const { files } = this.#of(folder);
    const parted = await this.base(folder, base, head);
    const [from, to] = await Promise.all([this.#commit(folder, parted ?? ''), this.#commit(folder, head)]);
    return from === undefined || to === undefined ? [] : files.between(from.tree, to.tree);
  }

  /** Commits of the head that the base has not, oldest first. */
  commits(folder: string, base: string, head: string): Promise<readonly string[]> {
    return this.#of(folder).history.between(base, head);
  }

  /** Where the two parted. */
  base(folder: string, one: string, other: string): Promise<string | undefined> {
    return this.#of(folder).history.base(one, other);
  }

  async commit(folder: string, oid: string): Promise<Commit> {
    const commit = await this.#commit(folder, oid);
    if (commit === undefined) throw new Error(`there is no commit ${oid}`);
    return commit;
  }

  async exists(folder: string, oid: string): Promise<boolean> {
    return /^[0-9a-f]{40}$/.test(oid) && (await this.#commit(folder, oid)) !== undefined;
  }

  async #commit(folder: string, oid: string): Promise<Commit | undefined> {
    return oid === '' ? undefined : this.#of(folder).history.commit(oid);
  }

  #of(folder: string): { readonly history: History; readonly files: ChangedFiles } {
    const known = this.#repositories.get(folder);
    if (known !== undefined) return known;
    const made = { history: new History(folder), files: new ChangedFiles(folder) };
    this.#repositories.set(folder, made);
    return made;
  }

  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await ask();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** Only where nothing was renamed: git follows renamed files and folders to the other side. */
function areApart(some: readonly ChangedFile[], others: readonly ChangedFile[]): boolean {
  const all = [...some, ...others];
  if (all.some(({ change }) => change === 'RENAMED' || change === 'COPIED')) return false;
  return some.every(({ path }) =>
    others.every(
      (other) =>
        other.path !== path && !other.path.startsWith(`${path}/`) && !path.startsWith(`${other.path}/`),
    ),
  );
}
