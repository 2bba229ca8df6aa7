/** Checks the length, the opening comment and the name of every file, and the size of directories. */
import { posix } from 'node:path';
import { EMPTY_NAMES, MAX_FILES_PER_DIRECTORY, MAX_LINES } from './rules.ts';
import type { SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkFileForm(module: SourceModule): readonly Violation[] {
  const violations: Violation[] = [];
  const lines = module.text.replace(/\n$/, '').split('\n').length;
  if (lines > MAX_LINES) {
    violations.push({
      rule: 'file size',
      file: module.path,
      line: MAX_LINES + 1,
      wrong: `has ${lines} lines, more than ${MAX_LINES}`,
      next: 'give each purpose its own file',
    });
  }
  if (!hasOpeningComment(module)) {
    violations.push({
      rule: 'opening sentence',
      file: module.path,
      line: 1,
      wrong: 'does not open with a /** … */ comment',
      next: 'say in one sentence what the module does',
    });
  }
  return violations;
}

/** Checks the name of any file, not only of a code file. */
export function checkName(path: string): readonly Violation[] {
  const empty = path
    .split('/')
    .flatMap((part) => part.split(/[-._]/))
    .find((word) => EMPTY_NAMES.includes(word.toLowerCase()));
  if (empty === undefined) return [];
  const next = 'name it after its behaviour';
  return [
    { rule: 'empty name', file: path, line: 1, wrong: `is named "${empty}", which has no meaning`, next },
  ];
}

function hasOpeningComment({ text, program, comments }: SourceModule): boolean {
  const start = program.hashbang === null ? 0 : program.hashbang.end + 1;
  const [first] = comments;
  return first?.start === start && text.startsWith('/**', start) && /\w/.test(first.value);
}

/** Reports every directory with too many files at one level. */
export function checkDirectorySizes(paths: Iterable<string>): readonly Violation[] {
  const sizes = new Map<string, number>();
  for (const path of paths) sizes.set(posix.dirname(path), (sizes.get(posix.dirname(path)) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > MAX_FILES_PER_DIRECTORY)
    .map(([directory, size]) => ({
      rule: 'directory size',
      file: directory,
      line: 1,
      wrong: `has ${size} files, more than ${MAX_FILES_PER_DIRECTORY}`,
      next: 'group them into subdirectories',
    }));
}
