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

/** A slider takes the arrows and the like, but has nothing to do with Escape. */
export function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === 'Escape' && target.matches('input[type=range]')) return false;
  return target.closest(TEXT_INPUTS) !== null;
}
