/** All files of a diff as one list of rows, those that are folded as their names alone. Pure. */
import type { Diff } from '../../../../../src/protocol/dashboard.ts';
import { type PatchRow, patchRows } from './patch.ts';

export type DiffFile = Diff['files'][number];
export type DiffRow = { readonly key: string } & (
  | PatchRow
  | { readonly kind: 'file'; readonly file: DiffFile }
);

export function diffRows(files: readonly DiffFile[], folded: ReadonlySet<string>): readonly DiffRow[] {
  return files.flatMap((file): DiffRow[] => {
    const head: DiffRow = { key: file.path, kind: 'file', file };
    if (folded.has(file.path)) return [head];
    const rows = patchRows(file.patch).map(
      (row, index): DiffRow => ({ ...row, key: `${file.path}\n${index}` }),
    );
    const why = noteOn(file);
    return [
      head,
      ...rows,
      ...(why === undefined ? [] : [{ key: `${file.path}\nnote`, kind: 'note', text: why } as const]),
    ];
  });
}

function noteOn({ additions, patch, cut, change }: DiffFile): string | undefined {
  if (additions === null) return 'A binary file: there are no lines to show.';
  if (cut)
    return patch === ''
      ? 'Too large to be shown here.'
      : 'The rest is left out: it is too large to be shown here.';
  if (patch !== '') return undefined;
  return change === 'renamed' ? 'Renamed, with nothing changed in it.' : 'No lines were changed.';
}

/** A person begins with what a person wrote. */
const MADE_BY_PROGRAMS =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock)$|\.(min\.(js|css)|map|snap)$/;
/** More changed lines than fit on ten screens. */
const LONG_LINES = 400;

export function foldedAtFirst(files: readonly DiffFile[]): ReadonlySet<string> {
  const isFolded = ({ path, additions, deletions }: DiffFile) =>
    MADE_BY_PROGRAMS.test(path) || (additions ?? 0) + (deletions ?? 0) > LONG_LINES;
  return new Set(files.filter(isFolded).map(({ path }) => path));
}
