/** Lists the files that a branch changes, with the texts that a caller asks for. */
import { LegionError } from '../../core/model/fault.ts';
import type { ChangedFile, ChangedText } from '../../core/model/pull-request.ts';
import type { CheckedAt } from '../../ports/forge.ts';
import { findPresentCommits } from './compare.ts';
import type { CommitComparison, GitRepository } from './repository.ts';

/** Real manifests have a few kilobytes. A larger file is not worth the memory of reading it. */
const MAX_TEXT_BYTES = 1_000_000;

/**
 * Maximum number of texts read. Each text costs two git processes, and a change with more texts
 * than this needs a person anyway.
 */
const MAX_TEXTS = 20;

/** Git writes this id for the side on which a file does not exist. */
const ABSENT = /^0+$/;

const REGULAR_FILE = /^100/;

export async function listChangedFiles(
  repository: GitRepository,
  comparison: CommitComparison,
  { headSha, baseSha }: CheckedAt,
  needsText: (path: string) => boolean,
  signal: AbortSignal,
): Promise<readonly ChangedFile[] | 'unknown'> {
  try {
    const present = await findPresentCommits(repository, [headSha, baseSha]);
    if (!present.has(headSha) || !present.has(baseSha)) return 'unknown';
    const from = await comparison.mergeBase(baseSha, headSha, signal);
    if (from === undefined) return 'unknown';
    const lines = await comparison.lines(from, headSha, signal);
    const entries = await comparison.entries(from, headSha, signal);
    const files: ChangedFile[] = [];
    let texts = 0;
    for (const [path, entry] of entries) {
      const file = { path, lines: lines.get(path) ?? 'binary' } as const;
      if (!needsText(path)) {
        files.push(file);
        continue;
      }
      texts += 1;
      const text =
        texts > MAX_TEXTS
          ? { unreadable: `more than ${MAX_TEXTS} such files changed` }
          : await readChangedText(repository, entry, signal);
      files.push({ ...file, text });
    }
    return files;
  } catch (error) {
    if (error instanceof LegionError && error.code !== 'git.interrupted') return 'unknown';
    throw error;
  }
}

/** Parses one entry of `git diff-tree --raw`: ":mode mode object object status". */
async function readChangedText(
  repository: GitRepository,
  entry: string,
  signal: AbortSignal,
): Promise<ChangedText> {
  const [modeBefore = '', modeAfter = '', before = '', after = ''] = entry.slice(1).split(' ');
  const modes = [modeBefore, modeAfter].filter((mode) => !ABSENT.test(mode));
  if (!modes.every((mode) => REGULAR_FILE.test(mode))) return { unreadable: 'it is not a regular file' };
  const texts: string[] = [];
  for (const object of [before, after]) {
    const text = ABSENT.test(object) ? '' : await readBlob(repository, object, signal);
    if (text === undefined) return { unreadable: `it is larger than ${MAX_TEXT_BYTES} bytes` };
    texts.push(text);
  }
  const [textBefore = '', textAfter = ''] = texts;
  return { before: textBefore, after: textAfter };
}

/** Returns undefined if the blob is too large. */
async function readBlob(
  repository: GitRepository,
  object: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const call = { signal, maxOutputBytes: MAX_TEXT_BYTES };
    return (await repository.run(['cat-file', 'blob', object], call)).out;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.output_too_large') return undefined;
    throw error;
  }
}
