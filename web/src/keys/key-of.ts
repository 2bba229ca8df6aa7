/** What a key press means to the shortcuts. */

const NO_KEYS: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'Dead',
  'Process',
  'Unidentified',
]);
const TEXT_INPUTS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]';

/** Undefined for what belongs to the browser or the system. */
export function keyOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || NO_KEYS.has(event.key))
    return undefined;
  return event.key;
}

export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(TEXT_INPUTS) !== null;
}
