/** Holds the form of every file: its length, its opening sentence and its name. */
import { EMPTY_NAMES, MOST_LINES } from './rules.ts';
import type { SourceModule } from './source-module.ts';
import type { Violation } from './violation.ts';

export function checkFileForm(module: SourceModule): readonly Violation[] {
  const violations: Violation[] = [];
  const lines = module.text.replace(/\n$/, '').split('\n').length;
  if (lines > MOST_LINES) {
    violations.push({
      rule: 'file size',
      file: module.path,
      line: MOST_LINES + 1,
      wrong: `has ${lines} lines, more than ${MOST_LINES}`,
      next: 'give each behaviour a file of its own',
    });
  }
  if (!opensWithSentence(module)) {
    violations.push({
      rule: 'opening sentence',
      file: module.path,
      line: 1,
      wrong: 'does not open with a /** … */ comment',
      next: 'say in one sentence what the module is for',
    });
  }
  return violations;
}

/** For files of every kind, not only those that hold code. */
export function checkName(path: string): readonly Violation[] {
  const empty = path
    .split('/')
    .flatMap((part) => part.split(/[-._]/))
    .find((word) => EMPTY_NAMES.includes(word.toLowerCase()));
  if (empty === undefined) return [];
  const next = 'name it after what it does';
  return [
    { rule: 'empty name', file: path, line: 1, wrong: `is named "${empty}", which says nothing`, next },
  ];
}

function opensWithSentence({ text, program, comments }: SourceModule): boolean {
  const start = program.hashbang === null ? 0 : program.hashbang.end + 1;
  const [first] = comments;
  return first?.start === start && text.startsWith('/**', start) && /\w/.test(first.value);
}
