/**
 * Keyboard shortcuts. Components register theirs while mounted, and the help lists the registered
 * ones.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';

export interface Shortcut {
  /** One key, or two keys in sequence, such as `/`, `g b` or `ArrowDown`. */
  readonly keys: string;
  readonly label: string;
  readonly group: string;
  run(event: KeyboardEvent): void;
}

/**
 * The second key of a sequence must follow within this time. Long enough to think, and short enough
 * that a later key press does not trigger the shortcut.
 */
const SEQUENCE_MS = 1_200;

type ShortcutRegistry = Map<symbol, Shortcut>;
const RegistryContext = createContext<ShortcutRegistry | null>(null);

/**
 * Registers a shortcut while the component is mounted. If several shortcuts use the same keys, the
 * most recently added one wins.
 */
export function useShortcut(shortcut: Shortcut): void {
  const registry = useContext(RegistryContext);
  const latest = useRef(shortcut);
  useEffect(() => {
    latest.current = shortcut;
  });
  const { keys, label, group } = shortcut;
  useEffect(() => {
    const id = Symbol(keys);
    registry?.set(id, { keys, label: label, group, run: (event) => latest.current.run(event) });
    return () => {
      registry?.delete(id);
    };
  }, [registry, keys, label, group]);
}

/** Returns the active shortcuts in registration order. */
export function useShortcutList(): readonly Shortcut[] {
  const registry = useContext(RegistryContext);
  return [...(registry?.values() ?? [])];
}

export function ShortcutProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState<ShortcutRegistry>(() => new Map());
  useEffect(() => listen(registry), [registry]);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

function listen(registry: ShortcutRegistry): () => void {
  let first = '';
  let firstAt = 0;
  const onKey = (event: KeyboardEvent) => {
    // Inside a dialog or menu, only the keys of that dialog or menu work.
    if (
      event.defaultPrevented ||
      isTyping(event) ||
      document.querySelector('dialog[open], [popover]:popover-open')
    ) {
      return;
    }
    const pressed = toKeyName(event);
    if (pressed === undefined) return;
    const both = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${pressed}` : pressed;
    const all = [...registry.values()].reverse();
    const shortcut = all.find(({ keys }) => keys === both) ?? all.find(({ keys }) => keys === pressed);
    [first, firstAt] = shortcut === undefined ? [pressed, event.timeStamp] : ['', 0];
    if (shortcut === undefined) return;
    event.preventDefault();
    shortcut.run(event);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

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

/** Returns undefined for keys that belong to the browser or the system. */
function toKeyName(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || NO_KEYS.has(event.key))
    return undefined;
  return event.key;
}

/**
 * Returns whether the element uses the key itself. A slider uses the arrow keys and similar keys,
 * but not Escape.
 */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === 'Escape' && target.matches('input[type=range]')) return false;
  return target.closest(TEXT_INPUTS) !== null;
}
