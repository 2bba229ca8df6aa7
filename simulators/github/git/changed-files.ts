/** Finds the files that differ between two trees, for many pairs with one git process. */
import { RequestBatch } from './batch.ts';
import { tryGit } from './run-git.ts';

export interface ChangedFile {
  readonly path: string;
  readonly previous: string | undefined;
  readonly change: 'ADDED' | 'DELETED' | 'MODIFIED' | 'RENAMED' | 'COPIED' | 'CHANGED';
  readonly additions: number;
  readonly deletions: number;
}

export class ChangedFiles {
  readonly #known = new Map<string, readonly ChangedFile[]>();
  readonly #batch: RequestBatch<readonly ChangedFile[]>;

  constructor(folder: string) {
    this.#batch = new RequestBatch(async (pairs) => {
      const args = ['diff-tree', '--stdin', '-r', '-M', '-z', '--raw', '--numstat'];
      const { stdout } = await tryGit(folder, args, `${pairs.join('\n')}\n`);
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

/**
 * Matches the first field of a pair in git's output. The name of the pair ends with a newline, and
 * all other fields end with NUL.
 */
const PAIR = /^([0-9a-f]{40} [0-9a-f]{40})\n([\s\S]*)$/;

/**
 * The output for each pair consists of its name, the raw entries, and the line counts in the same
 * order. A renamed file has two names in both lists.
 */
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
      // Git prints `-` instead of line counts for a binary file.
      return { ...file, additions: Number(added) || 0, deletions: Number(deleted) || 0 };
    });
    pairs.set(pair, counted);
  }
}
