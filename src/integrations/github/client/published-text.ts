/**
 * Prepares the texts that Legion publishes on GitHub: escapes mentions and appends the hidden
 * marker. Also restores such texts and extracts the prose of Markdown.
 */
import { createHash } from 'node:crypto';
import { LegionError } from '../../../core/model/fault.ts';
import { requireWellFormed, trimToLength } from '../../tracker-support/issue-input.ts';
import { type GithubActor, toAccountName } from './client.ts';

/** GitHub's limit in characters for comments and the texts of issues, pull requests and reviews. */
export const TEXT_MAX = 65_536;

/** Returns the original text: without the marker, and with its mentions restored. */
export function restoreWrittenText(body: string): string {
  return restoreMentions(splitMark(body).text);
}

/**
 * Invisible character between `@` and a name. Without it, a worker's text that quotes an outsider
 * would notify every account that the outsider mentioned, and might trigger bots; followers of the
 * issue are notified anyway. Code is left unchanged, because GitHub does not scan it for mentions
 * and people copy it.
 */
const GAP = '\u2060';
const MENTION = /(^|[^\w/@])@(?=[A-Za-z0-9])/g;

/** Changes mentions so that GitHub does not notify the mentioned accounts. */
export function escapeMentions(text: string): string {
  return splitMarkdownLines(text)
    .map((line) => (line.isCode ? line.text : escapeOutsideCode(line.text)))
    .join('\n');
}

/** Restores the mentions of the original text. */
function restoreMentions(text: string): string {
  return text.replaceAll(`@${GAP}`, '@');
}

/**
 * Escapes mentions outside code. Text between backticks is treated as code, and text after an
 * unmatched backtick as prose.
 */
function escapeOutsideCode(line: string): string {
  // A backtick after a backslash is literal, so such a line has no reliable code spans.
  const parts = line.includes('\\`') ? [line] : line.split('`');
  return parts
    .map((part, index) =>
      index % 2 === 1 && index < parts.length - 1 ? part : part.replace(MENTION, `$1@${GAP}`),
    )
    .join('`');
}

interface MarkdownLine {
  readonly text: string;
  readonly isCode: boolean;
}

/**
 * Matches up to three spaces and then at least three fence characters, as in CommonMark. A closing
 * fence has no other text.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Splits a text into lines and marks fenced code. An unclosed fence extends to the end. Indented
 * code is not recognised, because the same indentation in a list is prose.
 */
function splitMarkdownLines(markdown: string): readonly MarkdownLine[] {
  let open: { readonly mark: string; readonly length: number } | undefined;
  return markdown.split('\n').map((text) => {
    const [, marks = '', rest = ''] = FENCE.exec(text.replace(/\r$/, '')) ?? [];
    const mark = marks.slice(0, 1);
    if (open === undefined) {
      // A backtick after the fence characters makes it inline code.
      const opensBlock = marks !== '' && !(mark === '`' && rest.includes('`'));
      if (opensBlock) open = { mark, length: marks.length };
      return { text, isCode: opensBlock };
    }
    if (mark === open.mark && marks.length >= open.length && rest.trim() === '') open = undefined;
    return { text, isCode: true };
  });
}

/** Returns the lines that the author wrote as prose, without code, comments and quotations. */
export function listProseLines(markdown: string): readonly string[] {
  return splitMarkdownLines(stripComments(markdown))
    .filter(({ text, isCode }) => !isCode && !/^ {0,3}>/.test(text))
    .map(({ text }) => text.replace(/\r$/, ''));
}

/** Removes HTML comments. An unclosed comment hides the rest of the text, as on the website. */
function stripComments(markdown: string): string {
  let output = '';
  let at = 0;
  while (at < markdown.length) {
    const start = markdown.indexOf('<!--', at);
    if (start < 0) return output + markdown.slice(at);
    output += markdown.slice(at, start);
    const end = markdown.indexOf('-->', start + 4);
    if (end < 0) return output;
    at = end + 3;
  }
  return output;
}

/** Encodes any text as a unique marker name. */
export function encodeMarkName(text: string): string {
  // Escapes dashes too, because two of them would end an HTML comment for some parsers.
  return encodeURIComponent(text).replaceAll('-', '%2D');
}

export function appendMark(text: string, name: string): string {
  const mark = `<!-- legion:${name} -->`;
  return text === '' ? mark : `${text}\n\n${mark}`;
}

/** Matches the marker only at the very end, because it always follows the text. */
const MARK = /(?:\n\n|^)<!-- legion:([^\s<>]+) -->$/;

/** Tolerates trailing white space and the line ends that browser editors send. */
export function splitMark(body: string): { readonly text: string; readonly name: string | undefined } {
  const trimmed = body.trimEnd().replace(/\r\n\r\n(<!-- legion:[^\s<>]+ -->)$/, '\n\n$1');
  const [mark, name] = MARK.exec(trimmed) ?? [];
  return mark === undefined ? { text: body, name } : { text: trimmed.slice(0, -mark.length), name };
}

export interface MarkableText {
  readonly author: GithubActor | null;
  readonly body: string;
}

/** Returns whether an account, by its name on GitHub, is used by Legion or its roles. */
export type IsLegion = (login: string) => boolean;

/**
 * Returns the name in the marker of a text that Legion wrote. Requires one of Legion's accounts as
 * author, because anyone can write a marker.
 */
export function findOwnMark({ author, body }: MarkableText, isLegion: IsLegion): string | undefined {
  return isLegion(toAccountName(author)) ? splitMark(body).name : undefined;
}

/**
 * Prepares text for publication on GitHub: escapes mentions, enforces the size limit, and appends
 * the marker `name`.
 */
export function buildPublishedText(text: string, name: string): string {
  requireWellFormed(text);
  const maxLength = TEXT_MAX - appendMark(' ', name).length + 1;
  return appendMark(trimToLength(escapeMentions(text), maxLength, 'GitHub'), name);
}

/**
 * Maximum length of a key that is used as the marker name. Keys may be longer, because a key may
 * contain the whole evidence of a decision.
 */
const WRITTEN_MAX = 200;

/**
 * Returns a marker name that is unique to the key: the key itself if it is short, otherwise its
 * hash.
 */
export function toKeyName(key: string): string {
  if (!key.isWellFormed() || key === '')
    throw new LegionError('input.invalid', 'key: is empty or contains a lone surrogate');
  const written = encodeMarkName(key);
  // The encoding always escapes "#", so no key can look like the hash of another.
  return written.length <= WRITTEN_MAX ? written : `#${createHash('sha256').update(key).digest('hex')}`;
}
