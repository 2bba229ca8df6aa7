/** How urgent an issue is: by the board's `Priority` field, else by a label that says so. */
import type { Priority } from '../../domain/issue.ts';

/** By number in the order of the domain's: 1 is the most urgent. */
const WORDS: Readonly<Record<string, Priority>> = {
  urgent: 1,
  critical: 1,
  highest: 1,
  high: 2,
  medium: 3,
  normal: 3,
  low: 4,
  lowest: 4,
  'no priority': 0,
  none: 0,
};

const NAMES: Readonly<Record<Priority, string>> = {
  0: 'none',
  1: 'urgent',
  2: 'high',
  3: 'medium',
  4: 'low',
};

/** `option` is what the board says of the issue, among all it could say. */
export function priorityOf(
  option: string | undefined,
  options: readonly string[],
  labels: readonly string[],
): Priority {
  const said = option === undefined ? undefined : readPriority(option, hasZero(options));
  if (said !== undefined) return said;
  const byLabel = labels.map(labelledPriority).filter((each) => each !== undefined && each > 0);
  return (byLabel.toSorted()[0] as Priority | undefined) ?? 0;
}

/** The option of the board's field that reads as this priority. */
export function priorityOption(priority: Priority, options: readonly string[]): string | undefined {
  return options.find((option) => readPriority(option, hasZero(options)) === priority);
}

/** What is put on an issue whose board has no field to say it in. */
export function priorityLabel(priority: Priority): string | undefined {
  return priority === 0 ? undefined : `priority: ${NAMES[priority]}`;
}

function labelledPriority(label: string): Priority | undefined {
  const [, word] = /^priority\s*[:/ -]\s*(.+)$/i.exec(label.trim()) ?? [];
  if (word !== undefined) return readPriority(word, true);
  return /^p[0-4]$/i.test(label.trim()) ? readPriority(label, true) : undefined;
}

/** P0 is the most urgent where there is one, else P1 is. A sign before the word, as GitHub's template has it, is passed over. */
function readPriority(text: string, fromZero: boolean): Priority | undefined {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim();
  const [, digit] = /^p([0-4])\b/.exec(word) ?? [];
  if (digit === undefined) return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return Math.min(4, Number(digit) + (fromZero ? 1 : 0)) as Priority;
}

function hasZero(options: readonly string[]): boolean {
  return options.length === 0 || options.some((option) => /\bp0\b/i.test(option));
}
