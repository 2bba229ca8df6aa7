/** What a line means that somebody types into a view. Pure. */

export type Meaning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'wordless' }
  | { readonly kind: 'say'; readonly text: string; readonly interrupt: boolean };

/** `!` in front cuts the worker's present turn short; `/quit` leaves the view. */
export function meaningOf(typed: string): Meaning {
  const line = typed.trim();
  if (line === '') return { kind: 'nothing' };
  if (line === '/quit') return { kind: 'quit' };
  const interrupt = line.startsWith('!');
  const text = interrupt ? line.slice(1).trim() : line;
  return text === '' ? { kind: 'wordless' } : { kind: 'say', text, interrupt };
}
