/**
 * Describes problems in a configuration with their location and combines them into one error. Also
 * suggests the right key for a misspelt one, and lists unsupported keys.
 */
import {
  createFault,
  type Fault,
  type FaultCode,
  MAX_QUOTED_LENGTH,
  quoteText,
} from '../core/model/fault.ts';

/**
 * Maximum number of problems shown, because a longer list does not help. Only the number of the
 * remaining problems is shown.
 */
const MAX_SHOWN_PROBLEMS = 5;

export interface ConfigProblem {
  readonly code: FaultCode;
  /** Location to change, such as `legion.yaml:3:5`, `LEGION_ID` or `--port`. */
  readonly where: string;
  /** States the value at that location and the valid values. */
  readonly message: string;
}

/** Either a value or all problems, never both. */
export type ConfigCheck<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Puts each problem on its own line, so that editors and terminals can link the locations. The
 * first problem determines the code.
 */
export function toConfigFault(problems: readonly ConfigProblem[]): Fault {
  const lines = problems.slice(0, MAX_SHOWN_PROBLEMS).map(({ where, message }) => `${where}: ${message}`);
  const hidden = problems.length - lines.length;
  if (hidden > 0) lines.push(`and ${hidden} more`);
  return createFault(problems[0]?.code ?? 'config.invalid', lines.join('\n'));
}

/** Formats an invalid value for a message: recognisable, short, and never a secret. */
export function describeConfigValue(value: unknown, secret = false): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return `${value}`;
  const hidden = secret || value.length > MAX_QUOTED_LENGTH;
  return hidden ? `text of ${value.length} characters` : quoteText(value);
}

/**
 * Formats a path such as `repos[0].path`. Quotes a key that is not plainly a name, because keys may
 * be untrusted too.
 */
export function formatKeyPath(path: readonly PropertyKey[]): string {
  return path.map(formatKeyStep).join('').replace(/^\./, '');
}

function formatKeyStep(part: PropertyKey): string {
  if (typeof part === 'number') return `[${part}]`;
  const name = String(part);
  return name.length <= MAX_QUOTED_LENGTH && /^[\w-]+(?: [\w-]+)*$/.test(name)
    ? `.${name}`
    : `[${quoteText(name)}]`;
}

/**
 * Maximum length of compared keys. Longer keys are not typos, and the cost of a comparison is the
 * product of both lengths.
 */
const MAX_COMPARED_CHARS = 40;

/**
 * Finds the known key that a misspelt key probably means. Maps `limts` to `limits`, `perMode` to
 * `per_mode`, and `xyz` to nothing.
 */
export function findNearest(text: string, known: readonly string[]): string | undefined {
  if (text.length > MAX_COMPARED_CHARS) return undefined;
  const ranked = known
    .map((key) => ({ key, distance: computeEditDistance(normalizeKey(text), normalizeKey(key)) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  // One letter in three may be wrong. Beyond that a suggestion is a guess.
  return best.distance <= Math.max(1, Math.floor(best.key.length / 3)) ? best.key : undefined;
}

function normalizeKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, '');
}

/** Levenshtein distance, with two swapped letters counted as one error. */
function computeEditDistance(a: string, b: string): number {
  let before: number[] = [];
  let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        getOrInfinity(previousRow, column) + 1,
        getOrInfinity(current, column - 1) + 1,
        getOrInfinity(previousRow, column - 1) + (isSame ? 0 : 1),
        swapped ? getOrInfinity(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, previousRow] = [previousRow, current];
  }
  return getOrInfinity(previousRow, b.length);
}

function getOrInfinity(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Number.POSITIVE_INFINITY;
}

/**
 * Maps each unsupported key to a description of what works instead. A key includes everything below
 * it.
 */
export type UnsupportedKeys = ReadonlyMap<string, string>;

/**
 * Keys that this version rejects by name, because they are not implemented yet and must not seem to
 * work.
 */
export const UNSUPPORTED_LEGION_KEYS: UnsupportedKeys = new Map([
  ['hosts', 'all workers run on this machine'],
  ['envoy', 'messages stay within the daemon'],
  ['notifications', '`legion inbox` and the dashboard show what is waiting for you'],
  ['credentials.slack', '`legion inbox` and the dashboard show what is waiting for you'],
  ['credentials.webhooks.slack', 'GitHub and Linear webhooks work'],
]);

export const UNSUPPORTED_REPOSITORY_KEYS: UnsupportedKeys = new Map([
  ['testing.suites', 'write in `testing.instructions` which suites a tester should run'],
  ['notifications', '`legion inbox` and the dashboard show what is waiting for a person'],
]);
