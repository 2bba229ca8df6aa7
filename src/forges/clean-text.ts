/** Text from outside as it may be kept and shown: without control characters, and of bounded length. */
import { LegionError } from '../core/model/fault.ts';
import { plainLine, plainText } from '../domain/plain-text.ts';

/** GitHub's own limits, so that what one forge takes the other takes too. */
const LONGEST_TITLE = 256;
const LONGEST_TEXT = 65_536;
const LONGEST_LABEL = 50;
/** As long as an id may be, plus a mode. */
const LONGEST_NAME = 200;

export const cleanTitle = (text: string): string => required('title', plainLine(text), LONGEST_TITLE);
export const cleanBody = (text: string): string => bounded('text', plainText(text), LONGEST_TEXT);
export const cleanName = (text: string): string => required('name', plainLine(text), LONGEST_NAME);
export const cleanLabel = (text: string): string => required('label', plainLine(text), LONGEST_LABEL);
export const cleanKey = (text: string): string => required('key', plainLine(text), LONGEST_NAME);

/** Whether two names are one person: a name cannot be borrowed by spelling it differently. */
export function sameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** The last `most` characters, for logs. */
export function cleanTail(text: string, most: number): string {
  return plainText(text.slice(-2 * most)).slice(-most);
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
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
