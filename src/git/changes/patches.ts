/** The patch of each file, found by its heading: no name can pass for another, and no line of a file for a heading. */
import type { Git, GitCall } from '../runner.ts';
import { DIFF, type Listed } from './listed.ts';

/** Bytes git may print: what is shown is a part of it, and long lines are not counted by anybody before. */
const PRINTED_MOST = 16_000_000;
/** Lines of all patches together; files that would come after are named only. */
const LINES_MOST = 20_000;
/** Characters of names on one command line: far below what any system takes. */
const NAMES_MOST = 100_000;

const HEADING = 'diff --git ';

export async function patchesOf(
  git: Git,
  folder: string,
  range: readonly string[],
  files: readonly Listed[],
  call: GitCall,
): Promise<ReadonlyMap<Listed, string>> {
  const wanted = chosen(files);
  if (wanted.length === 0) return new Map();
  const paths = wanted.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  const form = ['--patch', '--unified=3', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = [...DIFF, ...form, '--end-of-options', ...range, '--', ...paths];
  const { out } = await git.answer(folder, args, { ...call, mostBytes: PRINTED_MOST });
  const sections = sectionsIn(out);
  return new Map(wanted.map((file) => [file, patchOf(file, sections)]));
}

/** Binary ones have none. */
function chosen(files: readonly Listed[]): readonly Listed[] {
  let lines = 0;
  let names = 0;
  return files.filter(({ additions, deletions, path, from = '' }) => {
    if (additions === null || deletions === null) return false;
    const cost = additions + deletions;
    const length = path.length + from.length;
    if (lines + cost > LINES_MOST || names + length > NAMES_MOST) return false;
    lines += cost;
    names += length;
    return true;
  });
}

/** Every line of a file has a mark before it, so that a line that begins with the heading is one. */
function sectionsIn(out: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  for (const text of out.split(/^(?=diff --git )/m)) {
    if (!text.startsWith(HEADING)) continue;
    const end = text.indexOf('\n');
    const heading = text.slice(0, end);
    sections.set(heading, [...(sections.get(heading) ?? []), text.slice(end + 1)]);
  }
  return sections;
}

/** A file that became a link, or the other way round, has two: it went and it came. */
function patchOf({ path, from = path, change }: Listed, sections: Map<string, string[]>): string {
  const found = sections.get(`${HEADING}${quoted(`a/${from}`)} ${quoted(`b/${path}`)}`) ?? [];
  return found
    .splice(0, change === 'retyped' ? 2 : 1)
    .map(hunksIn)
    .join('');
}

function hunksIn(section: string): string {
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

/** As git writes a name into a heading, with `core.quotePath` off. */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git quotes
  const text = name.replace(/[\x00-\x1f\x7f"\\]/g, (mark) => ESCAPES[mark] ?? octal(mark));
  return text === name ? name : `"${text}"`;
}

function octal(mark: string): string {
  return `\\${mark.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
