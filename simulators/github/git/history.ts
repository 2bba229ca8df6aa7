/** The commits of one repository, each read from git once, and what follows from their parents. */
import { Batch } from './batch.ts';
import { attempt } from './run-git.ts';

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly committedAt: number;
  readonly message: string;
}

export class History {
  readonly #folder: string;
  readonly #known = new Map<string, Commit>();
  readonly #batch: Batch<Commit>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#batch = new Batch((oids) => this.#read(oids));
  }

  /** With all that came before it; undefined where git has no such commit. */
  async commit(oid: string): Promise<Commit | undefined> {
    return this.#known.get(oid) ?? (await this.#batch.get(oid));
  }

  /** Commits of `to` that `from` has not, oldest first; none where one of them is not there. */
  async between(from: string, to: string): Promise<readonly string[]> {
    const [start, end] = await Promise.all([this.commit(from), this.commit(to)]);
    if (start === undefined || end === undefined) return [];
    const before = this.#ancestors(from);
    return [...this.#ancestors(to)].filter((oid) => !before.has(oid)).reverse();
  }

  /** Where the two parted. */
  async base(one: string, other: string): Promise<string | undefined> {
    const [a, b] = await Promise.all([this.commit(one), this.commit(other)]);
    if (a === undefined || b === undefined) return undefined;
    const ancestors = this.#ancestors(one);
    // The first that both have on the way back is no ancestor of another that both have.
    for (const oid of this.#ancestors(other)) if (ancestors.has(oid)) return oid;
    return undefined;
  }

  /** Itself first; every commit comes before its parents. */
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

  async #read(oids: readonly string[]): Promise<ReadonlyMap<string, Commit>> {
    // One that is not there must not spoil the answer for the others, so they are told apart first.
    const checked = await attempt(this.#folder, ['cat-file', '--batch-check'], `${oids.join('\n')}\n`);
    const there = checked.stdout
      .split('\n')
      .flatMap((line) => (line.includes(' commit ') ? [line.slice(0, 40)] : []));
    if (there.length > 0) {
      // All branches at once: who asks for one of them mostly asks for the others next.
      const { stdout } = await attempt(
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
