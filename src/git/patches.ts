/**
 * Lists changed files, and splits git's output into one patch per file by heading. No file name or
 * content can imitate another file's heading.
 */
import type { GitCall, GitRunner } from './runner.ts';

/**
 * Maximum number of bytes that git may print. The number of lines is limited beforehand, but their
 * length is not.
 */
const MAX_PRINTED_BYTES = 16_000_000;
/** Maximum number of lines in all patches together. Further files are listed without a patch. */
const MAX_PATCH_LINES = 20_000;
/** Maximum number of characters in the names on one command line, far below any system's limit. */
const MAX_NAME_CHARACTERS = 100_000;

const HEADING = 'diff --git ';

export async function readPatches(
  git: GitRunner,
  folder: string,
  range: readonly string[],
  files: readonly ChangedFile[],
  call: GitCall,
): Promise<ReadonlyMap<ChangedFile, string>> {
  const wanted = selectPatchable(files);
  if (wanted.length === 0) return new Map();
  const paths = wanted.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  const format = ['--patch', '--unified=3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = [...DIFF_COMMAND, ...format, '--end-of-options', ...range, '--', ...paths];
  const { out } = await git.answer(folder, args, { ...call, maxOutputBytes: MAX_PRINTED_BYTES });
  const sections = splitSections(out);
  return new Map(wanted.map((file) => [file, takePatch(file, sections)]));
}

/** Selects the files to show. Binary files have no patch. */
function selectPatchable(files: readonly ChangedFile[]): readonly ChangedFile[] {
  let lines = 0;
  let names = 0;
  return files.filter(({ additions, deletions, path, from = '' }) => {
    if (additions === null || deletions === null) return false;
    const cost = additions + deletions;
    const length = path.length + from.length;
    if (lines + cost > MAX_PATCH_LINES || names + length > MAX_NAME_CHARACTERS) return false;
    lines += cost;
    names += length;
    return true;
  });
}

/** Every content line has a prefix, so a line that begins with the heading is a heading. */
function splitSections(output: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  for (const text of output.split(/^(?=diff --git )/m)) {
    if (!text.startsWith(HEADING)) continue;
    const end = text.indexOf('\n');
    const heading = text.slice(0, end);
    sections.set(heading, [...(sections.get(heading) ?? []), text.slice(end + 1)]);
  }
  return sections;
}

/** A file that became a link, or the reverse, has two sections: a deletion and an addition. */
function takePatch({ path, from = path, change }: ChangedFile, sections: Map<string, string[]>): string {
  const matches = sections.get(`${HEADING}${quoteName(`a/${from}`)} ${quoteName(`b/${path}`)}`) ?? [];
  return matches
    .splice(0, change === 'retyped' ? 2 : 1)
    .map(extractHunks)
    .join('');
}

function extractHunks(section: string): string {
  const begin = section.startsWith('@@ ') ? 0 : section.indexOf('\n@@ ') + 1;
  return section.startsWith('@@ ') || begin > 0 ? section.slice(begin) : '';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Quotes a name as git does in headings when `core.quotePath` is off. */
function quoteName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git quotes
  const text = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) => ESCAPES[char] ?? toOctalEscape(char));
  return text === name ? name : `"${text}"`;
}

function toOctalEscape(char: string): string {
  return `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/**
 * Maximum size of names and numbers, in bytes: enough for about a hundred thousand files. A larger
 * change is not shown.
 */
const MAX_LIST_BYTES = 16_000_000;

/**
 * All options are given explicitly, because the repository's settings could differ from git's
 * defaults. Starts no external program.
 */
const DIFF_COMMAND: readonly string[] = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '-l400', // maximum pairs for rename detection; beyond it, files count as added and deleted
  '--no-relative',
  '--submodule=short',
  '--ignore-submodules=dirty', // the contents of submodules are not examined
];

export interface ChangedFile {
  readonly path: string;
  readonly from?: string;
  readonly change: 'added' | 'changed' | 'deleted' | 'renamed' | 'retyped' | 'conflicted';
  /** Null if git treats the file as binary. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

/** Lists changed files with their line counts. File names are used verbatim. */
export async function listChangedFiles(
  git: GitRunner,
  folder: string,
  range: readonly string[],
  call: GitCall,
): Promise<readonly ChangedFile[]> {
  const args = [...DIFF_COMMAND, '-z', '--raw', '--numstat', '--end-of-options', ...range, '--'];
  const { out } = await git.answer(folder, args, { ...call, maxOutputBytes: MAX_LIST_BYTES });
  return parseChangedFiles(out);
}

const CHANGE_BY_LETTER: Readonly<Record<string, ChangedFile['change']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'retyped',
  U: 'conflicted',
};

/**
 * Parses NUL-terminated fields: first, for each file, a record `:modes shas letter` and one or two
 * names; then the line counts of each file.
 */
function parseChangedFiles(output: string): ChangedFile[] {
  const fields = output.split('\0').values();
  const nextName = () => fields.next().value ?? '';
  const files = new Map<string, Omit<ChangedFile, 'additions' | 'deletions'>>();
  const counts = new Map<string, Pick<ChangedFile, 'additions' | 'deletions'>>();
  for (const field of fields) {
    if (field.startsWith(':')) {
      const letter = field.split(' ')[4]?.charAt(0) ?? '';
      const isPair = letter === 'R' || letter === 'C';
      const first = nextName();
      const path = isPair ? nextName() : first;
      const from = letter === 'R' ? { from: first } : {};
      // A conflicted file appears twice. The conflict is the more important entry.
      if (files.get(path)?.change !== 'conflicted')
        files.set(path, { path, ...from, change: CHANGE_BY_LETTER[letter] ?? 'changed' });
      continue;
    }
    const [added, deleted, ...rest] = field.split('\t');
    if (added === undefined || deleted === undefined) continue;
    const name = rest.join('\t');
    // The names of a renamed file are separate fields.
    const path = name === '' ? [nextName(), nextName()][1] : name;
    counts.set(path ?? '', { additions: parseLineCount(added), deletions: parseLineCount(deleted) });
  }
  const noChanges = { additions: 0, deletions: 0 };
  return [...files.values()].map((file) => ({ ...file, ...(counts.get(file.path) ?? noChanges) }));
}

function parseLineCount(text: string): number | null {
  return text === '-' ? null : Number(text);
}
