/** Text from outside as it may be kept and shown: without control characters, and of bounded length. */
import { LegionError } from '../domain/fault.ts';

/** GitHub's own limits, so that what one forge takes the other takes too. */
const LONGEST_TITLE = 256;
const LONGEST_TEXT = 65_536;
const LONGEST_LABEL = 50;
/** As long as an id may be, plus a mode. */
const LONGEST_NAME = 200;

/** C0 but tab and line feed, DEL, C1, and the marks that turn the direction of writing around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
/** Colours and cursor movements of a terminal; without their first character they would stay as litter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how they begin.
const TERMINAL = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

export const cleanTitle = (text: string): string => required('title', oneLine(text), LONGEST_TITLE);
export const cleanBody = (text: string): string => bounded('text', severalLines(text), LONGEST_TEXT);
export const cleanName = (text: string): string => required('name', oneLine(text), LONGEST_NAME);
export const cleanLabel = (text: string): string => required('label', oneLine(text), LONGEST_LABEL);
export const cleanKey = (text: string): string => required('key', oneLine(text), LONGEST_NAME);

/** For what others have written: nothing is refused, only taken out. */
export const plainText = (text: string): string => severalLines(text);
export const plainLine = (text: string): string => oneLine(text);

/** Whether two names are one person: a name cannot be borrowed by spelling it differently. */
export function sameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** The last `most` characters, for logs. */
export function cleanTail(text: string, most: number): string {
  return severalLines(text.slice(-2 * most)).slice(-most);
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

function severalLines(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(TERMINAL, '').replace(CONTROL, '');
}

function oneLine(text: string): string {
  return severalLines(text).replace(/\s+/g, ' ').trim();
}

function required(what: string, text: string, most: number): string {
  if (text === '') throw new LegionError('input.invalid', `the ${what} is empty`);
  return bounded(what, text, most);
}

function bounded(what: string, text: string, most: number): string {
  if (text.length <= most) return text;
  throw new LegionError(
    'input.invalid',
    `the ${what} has ${text.length} characters, at most ${most} are allowed`,
  );
}
