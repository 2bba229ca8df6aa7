/**
 * Reads each commit of a repository from git only once, and derives the relations between commits
 * from their parents.
 */
import { RequestBatch } from './batch.ts';
import { tryGit } from './run-git.ts';

export interface HistoryCommit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly committedAt: number;
  readonly message: string;
}

export class CommitHistory {
  readonly #folder: string;
  readonly #known = new Map<string, HistoryCommit>();
  readonly #batch: RequestBatch<HistoryCommit>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#batch = new RequestBatch((oids) => this.#read(oids));
  }

  /** Loads the commit with all its ancestors. Undefined if git has no such commit. */
  async commit(oid: string): Promise<HistoryCommit | undefined> {
    return this.#known.get(oid) ?? (await this.#batch.get(oid));
  }

  /**
   * Returns the commits of `to` that are not in `from`, oldest first. Empty if either does not
   * exist.
   */
  async between(from: string, to: string): Promise<readonly string[]> {
    const [start, end] = await Promise.all([this.commit(from), this.commit(to)]);
    if (start === undefined || end === undefined) return [];
    const before = this.#ancestors(from);
    return [...this.#ancestors(to)].filter((oid) => !before.has(oid)).reverse();
  }

  /** Returns the merge base. */
  async base(one: string, other: string): Promise<string | undefined> {
    const [a, b] = await Promise.all([this.commit(one), this.commit(other)]);
    if (a === undefined || b === undefined) return undefined;
    const ancestors = this.#ancestors(one);
    // The first common commit found on the way back is the merge base, because it is not an
    // ancestor of any other common commit.
    for (const oid of this.#ancestors(other)) if (ancestors.has(oid)) return oid;
    return undefined;
  }

  /** Returns the commit itself and its ancestors. Every commit comes before its parents. */
  #ancestors(oid: string): ReadonlySet<string> {
    const done: string[] = [];
    const seen = new Set<string>();
    const open: { oid: string; parents: readonly string[] }[] = [];
    const enter = (each: string) => {
      if (seen.has(each)) return;
      seen.add(each);
      open.push({ oid: each, parents: [...(this.#known.get(each)?.parents ?? [])].reverse() });
    };
    enter(oid);
    while (open.length > 0) {
      const top = open.at(-1);
      const [parent, ...rest] = top?.parents ?? [];
      if (top === undefined || parent === undefined) done.push(open.pop()?.oid ?? '');
      else {
        open[open.length - 1] = { oid: top.oid, parents: rest };
        enter(parent);
      }
    }
    return new Set(done.reverse());
  }

  async #read(oids: readonly string[]): Promise<ReadonlyMap<string, HistoryCommit>> {
    // Filters out missing commits first, because a single one would fail the whole batch.
    const checked = await tryGit(this.#folder, ['cat-file', '--batch-check'], `${oids.join('\n')}\n`);
    const there = checked.stdout
      .split('\n')
      .flatMap((line) => (line.includes(' commit ') ? [line.slice(0, 40)] : []));
    if (there.length > 0) {
      // Reads the commits of all branches at once, because a caller that needs one commit usually
      // needs the others next.
      const { stdout } = await tryGit(
        this.#folder,
        ['log', '--stdin', '--branches', '-z', FORMAT],
        `${there.join('\n')}\n`,
      );
      for (const entry of stdout.split('\0')) this.#keep(entry);
    }
    return this.#known;
  }

  #keep(entry: string): void {
    const [oid = '', tree = '', parents = '', at = '', ...message] = entry.split('\n');
    if (oid === '') return;
    this.#known.set(oid, {
      oid,
      tree,
      parents: parents.split(' ').filter((each) => each !== ''),
      committedAt: Number(at),
      message: message.join('\n').trimEnd(),
    });
  }
}

const FORMAT = '--format=%H%n%T%n%P%n%ct%n%B';
