/**
 * Formats durations, times, counts and amounts for people, and cleans, shortens and quotes text from
 * outside.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats as `12s`, `5m`, `2h 5m` or `3d 4h`: at most two units. */
export function formatDuration(ms: number): string {
  const time = Math.max(0, ms);
  if (time < MINUTE) return `${Math.floor(time / SECOND)}s`;
  if (time < HOUR) return `${Math.floor(time / MINUTE)}m`;
  if (time < DAY) return joinUnits(Math.floor(time / HOUR), 'h', Math.floor((time % HOUR) / MINUTE), 'm');
  return joinUnits(Math.floor(time / DAY), 'd', Math.floor((time % DAY) / HOUR), 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
}

/** Formats as `2026-11-15 08:00:00`, in the time zone of the machine that shows it. */
export function formatDateTime(date: Date): string {
  if (Number.isNaN(date.getTime())) return '–';
  const day = [date.getFullYear(), ...[date.getMonth() + 1, date.getDate()].map(toTwoDigits)].join('-');
  return `${day} ${formatTimeOfDay(date)}`;
}

/** Formats as `08:00:00`. */
export function formatTimeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(toTwoDigits).join(':');
}

function toTwoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Formats as `1 crash` or `2 crashes`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Formats as `1,234,567 tokens`. */
export function formatTokens(tokens: number): string {
  return formatCount(tokens, 'token');
}

/** Formats as `$3.20`. */
export function formatDollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** Maximum number of names shown. These are enough for a worker to start with. */
const MAX_LISTED_NAMES = 5;

/** Formats as `a, b, c, d, e and 2 more`. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED_NAMES;
  const listed = names.slice(0, MAX_LISTED_NAMES).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}

const DURATION_UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** Formats as `5 min` or `1.5 h`. A value that is not a duration becomes `an unknown time`. */
export function describeDuration(ms: number): string {
  if (!Number.isFinite(ms)) return 'an unknown time';
  for (const [size, unit] of DURATION_UNITS) {
    if (ms >= size) return `${Math.round((ms / size) * 10) / 10} ${unit}`;
  }
  return `${Math.max(0, Math.round(ms))} ms`;
}

/**
 * Control characters (C0 except tab and line feed, DEL, C1) and characters that reverse the writing
 * direction.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
const CONTROL_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Terminal colours and cursor movements. Removing only their first character would leave the rest
 * as visible text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
const TERMINAL_SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

/**
 * Keeps text as written, except for unpaired surrogates and NUL, which no file or database can
 * store. Each view must still make the text safe to display.
 */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

export function toPlainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(TERMINAL_SEQUENCES, '')
    .replace(CONTROL_CHARACTERS, '');
}

export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s+/g, ' ').trim();
}

/**
 * Cuts text to at most `length` characters and marks the cut with an ellipsis. Never splits a
 * character.
 */
export function truncateText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Quotes any text as one word for a POSIX shell. */
export function quoteShellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
