/** Keyboard shortcuts: each is where it works, and the help lists those that are there. */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';

export interface Shortcut {
  /** One key, or two after each other: `/`, `g b`, `ArrowDown`. */
  readonly keys: string;
  readonly says: string;
  readonly group: string;
  run(event: KeyboardEvent): void;
}

/** The second key of two must come within this: long enough to think, too short to surprise. */
const SEQUENCE_MS = 1_200;

type Registry = Map<symbol, Shortcut>;
const RegistryContext = createContext<Registry | null>(null);

/** Works as long as the component is there; the last one that was added wins. */
export function useShortcut(shortcut: Shortcut): void {
  const registry = useContext(RegistryContext);
  const latest = useRef(shortcut);
  useEffect(() => {
    latest.current = shortcut;
  });
  const { keys, says, group } = shortcut;
  useEffect(() => {
    const id = Symbol(keys);
    registry?.set(id, { keys, says, group, run: (event) => latest.current.run(event) });
    return () => {
      registry?.delete(id);
    };
  }, [registry, keys, says, group]);
}

/** Those that work at this moment, in the order in which they came. */
export function useShortcutList(): readonly Shortcut[] {
  const registry = useContext(RegistryContext);
  return [...(registry?.values() ?? [])];
}

export function ShortcutProvider({ children }: { readonly children: ReactNode }) {
  const [registry] = useState<Registry>(() => new Map());
  useEffect(() => listen(registry), [registry]);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

function listen(registry: Registry): () => void {
  let first = '';
  let firstAt = 0;
  const onKey = (event: KeyboardEvent) => {
    // Inside of a dialog or a menu its own keys count, and nothing behind it.
    if (
      event.defaultPrevented ||
      isTyping(event) ||
      document.querySelector('dialog[open], [popover]:popover-open')
    ) {
      return;
    }
    const pressed = keyOf(event);
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

/** Undefined for what belongs to the browser or the system. */
function keyOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || NO_KEYS.has(event.key))
    return undefined;
  return event.key;
}

/** A slider takes the arrows and the like, but has nothing to do with Escape. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === 'Escape' && target.matches('input[type=range]')) return false;
  return target.closest(TEXT_INPUTS) !== null;
}
