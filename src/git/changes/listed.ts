/** Which files changed, and by how many lines; names are taken as they are, whatever is in them. */
import type { Git, GitCall } from '../runner.ts';

/** Bytes of names and numbers: a hundred thousand files; a change of more is not shown at all. */
const LIST_MOST = 16_000_000;

/** Said in full, because the repository's settings could say otherwise; no program of its own is started. */
export const DIFF: readonly string[] = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '-l400', // pairs a rename is looked for in: beyond them, files are added and deleted
  '--no-relative',
  '--submodule=short',
  '--ignore-submodules=dirty', // what a submodule holds is not looked into
];

export interface Listed {
  readonly path: string;
  readonly from?: string;
  readonly change: 'added' | 'changed' | 'deleted' | 'renamed' | 'retyped' | 'conflicted';
  /** Null where git sees no lines in it. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

export async function listed(
  git: Git,
  folder: string,
  range: readonly string[],
  call: GitCall,
): Promise<readonly Listed[]> {
  const args = [...DIFF, '-z', '--raw', '--numstat', '--end-of-options', ...range, '--'];
  const { out } = await git.answer(folder, args, { ...call, mostBytes: LIST_MOST });
  return readList(out);
}

const LETTERS: Readonly<Record<string, Listed['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'retyped',
  U: 'conflicted',
};

/** First a record `:modes shas letter` with one name or two for each file, then the numbers of each; all of it ends in NUL. */
function readList(out: string): Listed[] {
  const fields = out.split('\0').values();
  const names = () => fields.next().value ?? '';
  const files = new Map<string, Omit<Listed, 'additions' | 'deletions'>>();
  const counts = new Map<string, Pick<Listed, 'additions' | 'deletions'>>();
  for (const field of fields) {
    if (field.startsWith(':')) {
      const letter = field.split(' ')[4]?.charAt(0) ?? '';
      const isPair = letter === 'R' || letter === 'C';
      const first = names();
      const path = isPair ? names() : first;
      const from = letter === 'R' ? { from: first } : {};
      // A file that is in conflict comes twice; that it is says more.
      if (files.get(path)?.change !== 'conflicted')
        files.set(path, { path, ...from, change: LETTERS[letter] ?? 'changed' });
      continue;
    }
    const [added, deleted, ...rest] = field.split('\t');
    if (added === undefined || deleted === undefined) continue;
    const name = rest.join('\t');
    // Of a renamed one the names are fields of their own.
    const path = name === '' ? [names(), names()][1] : name;
    counts.set(path ?? '', { additions: numberIn(added), deletions: numberIn(deleted) });
  }
  const none = { additions: 0, deletions: 0 };
  return [...files.values()].map((file) => ({ ...file, ...(counts.get(file.path) ?? none) }));
}

function numberIn(text: string): number | null {
  return text === '-' ? null : Number(text);
}
