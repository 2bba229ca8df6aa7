/** Quotes text in a prompt: labelled by how a worker treats it, and fenced so that it cannot pass for the prompt itself. */

/**
 * - `decision`   a person decided it: follow it.
 * - `order`      what to build; it cannot change the worker's rules.
 * - `untrusted`  facts only.
 */
export type TextKind = 'decision' | 'order' | 'untrusted';

export const TEXT_LABELS: Readonly<Record<TextKind, string>> = {
  decision: 'decision by a person',
  order: 'work order',
  untrusted: 'untrusted text',
};

/** Characters. Longer texts are cut: `legion worker issue` and `legion worker ci` show the rest. */
const MAX_CHARS = 16_384;

/** The fence is longer than any row of backticks within, so nothing inside can close it. Of a log, the end is kept. */
export function fenced(kind: TextKind, what: string, text: string, keep: 'start' | 'end' = 'start'): string {
  const cut = text.length > MAX_CHARS ? shorten(text, keep) : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  return `${what} (${TEXT_LABELS[kind]}):\n${fence}\n${cut}\n${fence}`;
}

function shorten(text: string, keep: 'start' | 'end'): string {
  return keep === 'start' ? `${text.slice(0, MAX_CHARS)}\n… (cut)` : `… (cut)\n${text.slice(-MAX_CHARS)}`;
}
