/** Which files differ between two trees, for many pairs by one process of git. */
import { Batch } from './batch.ts';
import { attempt } from './run-git.ts';

export interface ChangedFile {
  readonly path: string;
  readonly previous: string | undefined;
  readonly change: 'ADDED' | 'DELETED' | 'MODIFIED' | 'RENAMED' | 'COPIED' | 'CHANGED';
  readonly additions: number;
  readonly deletions: number;
}

export class ChangedFiles {
  readonly #known = new Map<string, readonly ChangedFile[]>();
  readonly #batch: Batch<readonly ChangedFile[]>;

  constructor(folder: string) {
    this.#batch = new Batch(async (pairs) => {
      const args = ['diff-tree', '--stdin', '-r', '-M', '-z', '--raw', '--numstat'];
      const { stdout } = await attempt(folder, args, `${pairs.join('\n')}\n`);
      for (const [pair, files] of readPairs(stdout)) this.#known.set(pair, files);
      return this.#known;
    });
  }

  async between(tree: string, other: string): Promise<readonly ChangedFile[]> {
    if (tree === other) return [];
    const pair = `${tree} ${other}`;
    return this.#known.get(pair) ?? (await this.#batch.get(pair)) ?? [];
  }
}

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = {
  A: 'ADDED',
  D: 'DELETED',
  M: 'MODIFIED',
  R: 'RENAMED',
  C: 'COPIED',
  T: 'CHANGED',
};

/** The name of a pair ends its own line; the rest is ended by zeros. */
const PAIR = /^([0-9a-f]{40} [0-9a-f]{40})\n([\s\S]*)$/;

/** Of each pair first its name, then the raw entries, then the numbers in the same order; a renamed one has two names in both. */
function readPairs(output: string): Map<string, readonly ChangedFile[]> {
  const parts = output.split('\0');
  const pairs = new Map<string, readonly ChangedFile[]>();
  let at = 0;
  for (;;) {
    const [, pair, rest = ''] = PAIR.exec(parts[at] ?? '') ?? [];
    if (pair === undefined) return pairs;
    parts[at] = rest;
    const files: Pick<ChangedFile, 'path' | 'previous' | 'change'>[] = [];
    while (parts[at]?.startsWith(':')) {
      const letter = parts[at]?.split(' ')[4]?.[0] ?? 'M';
      const two = letter === 'R' || letter === 'C';
      files.push({
        path: parts[at + (two ? 2 : 1)] ?? '',
        previous: two ? parts[at + 1] : undefined,
        change: CHANGES[letter] ?? 'CHANGED',
      });
      at += two ? 3 : 2;
    }
    const counted = files.map((file) => {
      const [added = '0', deleted = '0'] = parts[at]?.split('\t') ?? [];
      at += file.previous === undefined ? 1 : 3;
      // Git counts no lines of a binary file, and says `-`.
      return { ...file, additions: Number(added) || 0, deletions: Number(deleted) || 0 };
    });
    pairs.set(pair, counted);
  }
}
