/**
 * Cleans text from outside for storage and display (removes control characters, limits the length)
 * and checks branch names and commit ids.
 */
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { toPlainLine, toPlainText } from '../../core/model/format.ts';

/** GitHub's limits. They apply to every forge, so that all forges accept the same texts. */
const MAX_TITLE_CHARACTERS = 256;
const MAX_TEXT_CHARACTERS = 65_536;
const MAX_LABEL_CHARACTERS = 50;
/**
 * Maximum length of a name. The longest names are worker ids, which consist of an issue id and a
 * mode.
 */
const MAX_NAME_CHARACTERS = 200;

export const sanitizeTitle = (text: string): string =>
  requireText('title', toPlainLine(text), MAX_TITLE_CHARACTERS);
export const sanitizeBody = (text: string): string =>
  requireLength('text', toPlainText(text), MAX_TEXT_CHARACTERS);
export const sanitizeName = (text: string): string =>
  requireText('name', toPlainLine(text), MAX_NAME_CHARACTERS);
export const sanitizeLabel = (text: string): string =>
  requireText('label', toPlainLine(text), MAX_LABEL_CHARACTERS);
export const sanitizeKey = (text: string): string =>
  requireText('key', toPlainLine(text), MAX_NAME_CHARACTERS);

/**
 * Returns whether two names mean the same person, so that no one can impersonate a person with a
 * different spelling of their name.
 */
export function isSameName(one: string, other: string): boolean {
  return normalizeName(one) === normalizeName(other);
}

/** Returns the last `max` characters of the cleaned text, for logs. */
export function sanitizeTail(text: string, max: number): string {
  return toPlainText(text.slice(-2 * max)).slice(-max);
}

function normalizeName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

function requireText(field: string, text: string, max: number): string {
  if (text === '') throw new LegionError('input.invalid', `The ${field} is empty`);
  return requireLength(field, text, max);
}

function requireLength(field: string, text: string, max: number): string {
  if (text.length <= max) return text;
  throw new LegionError('input.invalid', `The ${field} has ${text.length} characters. Maximum: ${max}`);
}

/** A ref is a file whose name is limited to 255 bytes, including the ".lock" that git appends. */
const MAX_BRANCH_CHARACTERS = 240;

/** Spaces, control characters and sequences with a special meaning in git. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\uFFFD/;

/**
 * Returns whether the branch name is valid for a pull request. Applies the rules of `git
 * check-ref-format --branch` without starting a process. A name such as `$(id)` is valid and
 * harmless, because no shell interprets git's arguments.
 */
export function isBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || Buffer.byteLength(name) > MAX_BRANCH_CHARACTERS)
    return false;
  if (!name.isWellFormed() || FORBIDDEN.test(name)) return false;
  if (/^[-/]|[/.]$/.test(name) || name.startsWith('refs/')) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

/**
 * Throws if the name is invalid or is the name of the base branch. Ignores case, because "Main" and
 * "main" are the same branch on some file systems.
 */
export function refuseBranch(name: string, base: string): void {
  if (!isBranchName(name))
    throw new LegionError('forge.branch_refused', `${quoteText(name)} is not a valid branch name`);
  if (name.toLowerCase() === base.toLowerCase()) {
    throw new LegionError('forge.branch_refused', `${quoteText(name)} is the base branch`);
  }
}

/** Matches a full commit id, SHA-1 or SHA-256. */
export const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
