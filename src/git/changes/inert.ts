/** Settings that keep git from starting anything, and from showing changes otherwise than we read them, whatever a repository says. */
import type { Git } from '../runner.ts';

/** Bytes: a file above this is shown as binary; its lines would be somebody's data. */
const TEXT_FILE_MOST = 1_000_000;
/** Bytes of setting names: a repository has some. */
const NAMES_MOST = 100_000;

const FIXED: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'false'],
  ['core.bigFileThreshold', String(TEXT_FILE_MOST)],
  ['diff.orderFile', '/dev/null'],
  ['diff.suppressBlankEmpty', 'false'],
];

/**
 * As an environment, because a name may hold a "=". A work tree is compared through the filters its repository names, such as
 * that of large files: they are programs, and whoever works in the tree can name another one.
 */
export async function inert(
  git: Git,
  folder: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { out } = await git.answer(
    folder,
    ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'],
    { answers: [1], signal, mostBytes: NAMES_MOST },
  );
  const filters = out.split('\0').filter((name) => name !== '');
  const settings = [...FIXED, ...filters.map((name) => [name, emptied(name)] as const)];
  const numbered = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_LITERAL_PATHSPECS: '1', // a file may be called like a pattern
  };
}

/** One that is required and does nothing would be a failure. */
function emptied(name: string): string {
  return name.toLowerCase().endsWith('.required') ? 'false' : '';
}
