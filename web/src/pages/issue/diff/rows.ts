/**
 * Turns all files of a diff into one flat list of rows. A collapsed file has only its header. Pure.
 */
import type { IssueDiff } from '../../../../../src/protocol/repository.ts';
import { type PatchRow, parsePatchRows } from './patch.ts';

export type DiffFile = IssueDiff['files'][number];
export type DiffRow = { readonly key: string } & (
  | PatchRow
  | { readonly kind: 'file'; readonly file: DiffFile }
);

export function buildDiffRows(files: readonly DiffFile[], folded: ReadonlySet<string>): readonly DiffRow[] {
  return files.flatMap((file): DiffRow[] => {
    const head: DiffRow = { key: file.path, kind: 'file', file };
    if (folded.has(file.path)) return [head];
    const rows = parsePatchRows(file.patch).map(
      (row, index): DiffRow => ({ ...row, key: `${file.path}\n${index}` }),
    );
    const why = describeOmission(file);
    return [
      head,
      ...rows,
      ...(why === undefined ? [] : [{ key: `${file.path}\nnote`, kind: 'note', text: why } as const]),
    ];
  });
}

function describeOmission({ additions, patch, cut, change }: DiffFile): string | undefined {
  if (additions === null) return 'Binary file: no lines to show.';
  if (cut) return patch === '' ? 'Too large to show here.' : 'The rest is too large to show here.';
  if (patch !== '') return undefined;
  return change === 'renamed' ? 'Renamed without changes.' : 'No lines were changed.';
}

/** Generated files, which are collapsed, because people read hand-written code first. */
const MADE_BY_PROGRAMS =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock)$|\.(min\.(js|css)|map|snap)$/;
/**
 * Files with more changed lines than this are also collapsed, because they would fill more than ten
 * screens.
 */
const LONG_LINES = 400;

export function selectInitiallyFolded(files: readonly DiffFile[]): ReadonlySet<string> {
  const isFolded = ({ path, additions, deletions }: DiffFile) =>
    MADE_BY_PROGRAMS.test(path) || (additions ?? 0) + (deletions ?? 0) > LONG_LINES;
  return new Set(files.filter(isFolded).map(({ path }) => path));
}
