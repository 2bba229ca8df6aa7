/** Topics and the patterns that select them, by NATS's rules, and how a name from outside becomes one token of a topic. */
import { LegionError, shown } from './fault.ts';

/** Characters of a topic or pattern. NATS keeps a subject in its line of 4 KiB; ours are far shorter. */
export const TOPIC_MOST_CHARACTERS = 1_000;

/** What NATS gives a meaning to, and what ends its line. */
const NOT_IN_TOKEN = /[.*>\s\p{Cc}]/u;

/** Letters, digits, dash and underscore mean themselves to every broker; everything else is escaped. */
const PLAIN = /^[A-Za-z0-9_-]$/;

/** No name at all. Elsewhere a `%` is always followed by two digits, so this is the token of no other name. */
const EMPTY = '%';

/** Makes a topic of tokens, none of which may be a wildcard. */
export function topicOf(...tokens: readonly string[]): string {
  const topic = tokens.join('.');
  if (!isTopic(topic) || tokens.length !== topic.split('.').length) {
    throw new LegionError('input.invalid', `topic: ${shown(topic)} is not a topic`);
  }
  return topic;
}

/**
 * One token for any name: what is not plain is written as `%` and two digits for each byte of its UTF-8, as in addresses,
 * so that a repository `a.b` is `a%2Eb` and not two tokens. Two names never share a token.
 */
export function token(name: string): string {
  if (name === '') return EMPTY;
  return [...new TextEncoder().encode(name)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Tokens between dots, none empty, no wildcard. */
export function isTopic(text: string): boolean {
  return fits(text) && text.split('.').every(isToken);
}

/** A topic in which `*` may stand for one token, and `>` at the end for one or more. */
export function isPattern(text: string): boolean {
  const tokens = text.split('.');
  const last = tokens.length - 1;
  return (
    fits(text) &&
    tokens.every((each, index) => each === '*' || (each === '>' && index === last) || isToken(each))
  );
}

/** Of a pattern and a topic; anything else matches nothing. */
export function matches(pattern: string, topic: string): boolean {
  if (!isPattern(pattern) || !isTopic(topic)) return false;
  const wanted = pattern.split('.');
  const given = topic.split('.');
  const isOpen = wanted.at(-1) === '>';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  // `>` is at least one token.
  if (isOpen ? given.length <= fixed.length : given.length !== fixed.length) return false;
  return fixed.every((each, index) => each === '*' || each === given[index]);
}

function isToken(text: string): boolean {
  return text !== '' && !NOT_IN_TOKEN.test(text);
}

function fits(text: string): boolean {
  return text.length <= TOPIC_MOST_CHARACTERS;
}
