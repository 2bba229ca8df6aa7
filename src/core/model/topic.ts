/** Validates, builds and matches topics and patterns by NATS rules, and encodes names as topic tokens. */
import { createFault, fail, ok, quoteText, type Result } from './fault.ts';

/**
 * Maximum number of characters in a topic or pattern. NATS limits the protocol line to 4 KiB;
 * Legion's topics are far shorter.
 */
export const MAX_TOPIC_CHARACTERS = 1_000;

/** Characters that are plain in every broker. All others are escaped. */
const PLAIN = /^[A-Za-z0-9_-]$/;

/**
 * Token of an empty name. In all other tokens, two hex digits follow every `%`, so no other name
 * has this token.
 */
const EMPTY = '%';

/**
 * Encodes any name as one token. Bytes that are not plain are written as `%` and two hex digits, as
 * in URLs: the repository `a.b` becomes `a%2Eb` and not two tokens. Different names have different
 * tokens.
 */
export function toTopicToken(name: string): string {
  if (name === '') return EMPTY;
  return [...new TextEncoder().encode(name)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Returns true for non-empty tokens separated by dots, without wildcards. */
export function isTopic(text: string): boolean {
  return isWithinTopicLimit(text) && text.split('.').every(isToken);
}

/**
 * Returns true for a topic in which `*` may stand for one token and a final `>` for one or more.
 */
export function isPattern(text: string): boolean {
  const tokens = text.split('.');
  const last = tokens.length - 1;
  return (
    isWithinTopicLimit(text) &&
    tokens.every((each, index) => each === '*' || (each === '>' && index === last) || isToken(each))
  );
}

/** Returns false if the pattern or the topic is invalid. */
export function isTopicMatch(pattern: string, topic: string): boolean {
  if (!isPattern(pattern) || !isTopic(topic)) return false;
  const wanted = pattern.split('.');
  const tokens = topic.split('.');
  const isOpen = wanted.at(-1) === '>';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  // `>` matches at least one token.
  if (isOpen ? tokens.length <= fixed.length : tokens.length !== fixed.length) return false;
  return fixed.every((each, index) => each === '*' || each === tokens[index]);
}

/** Characters with a special meaning in NATS, and line breaks. */
const NOT_IN_TOKEN = /[.*>\s\p{Cc}]/u;

function isToken(text: string): boolean {
  return text !== '' && !NOT_IN_TOKEN.test(text);
}

function isWithinTopicLimit(text: string): boolean {
  return text.length <= MAX_TOPIC_CHARACTERS;
}

/** Joins tokens into a topic. Fails if a token is empty, contains a dot or is a wildcard. */
export function buildTopic(...tokens: readonly string[]): Result<string> {
  const topic = tokens.join('.');
  return isTopic(topic) && tokens.length === topic.split('.').length
    ? ok(topic)
    : fail(createFault('input.invalid', `topic: ${quoteText(topic)} is not a valid topic`));
}
