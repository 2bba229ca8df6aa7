/**
 * Quotes text in a prompt: labels it by how a worker must treat it and fences it so that it cannot
 * pass for the prompt itself.
 */

/**
 * - `decision`: a person's decision. The worker follows it.
 * - `order`: describes the work to do. It cannot change the worker's rules.
 * - `untrusted`: facts only.
 */
export type TextKind = 'decision' | 'order' | 'untrusted';

export const TEXT_LABELS: Readonly<Record<TextKind, string>> = {
  decision: 'decision by a person',
  order: 'work order',
  untrusted: 'untrusted text',
};

/**
 * Maximum length in characters. Longer texts are truncated; `legion worker issue` and `legion
 * worker ci` show the rest.
 */
const MAX_CHARS = 16_384;

/**
 * Wraps text in a fence longer than any run of backticks in it, so that the text cannot close the
 * fence. `keep: 'end'` keeps the end of a long log.
 */
export function quoteText(
  kind: TextKind,
  what: string,
  text: string,
  keep: 'start' | 'end' = 'start',
): string {
  const cut = text.length > MAX_CHARS ? trimToLimit(text, keep) : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  return `${what} (${TEXT_LABELS[kind]}):\n${fence}\n${cut}\n${fence}`;
}

function trimToLimit(text: string, keep: 'start' | 'end'): string {
  return keep === 'start' ? `${text.slice(0, MAX_CHARS)}\n… (cut)` : `… (cut)\n${text.slice(-MAX_CHARS)}`;
}

export interface ContextBlock {
  /** How the worker must treat the text. */
  readonly kind: TextKind;
  /**
   * Label written by Legion. It never contains quoted text, because it appears outside the fence.
   */
  readonly what: string;
  readonly text: string;
  /** Part of a long text to keep. */
  readonly keep?: 'start' | 'end' | undefined;
}
