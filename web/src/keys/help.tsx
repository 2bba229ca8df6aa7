/** The list of shortcuts that `?` shows. */
import { Dialog } from '../components/dialog.tsx';
import { type Shortcut, useShortcut, useShortcutList } from './shortcuts.tsx';

interface ShortcutHelpProps {
  readonly isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

export function ShortcutHelp({ isOpen, onToggle }: ShortcutHelpProps) {
  useShortcut({ keys: '?', says: 'Show this list', group: 'Everywhere', run: () => onToggle(true) });
  return (
    <Dialog title="Keyboard" isOpen={isOpen} onClose={() => onToggle(false)}>
      <List />
    </Dialog>
  );
}

function List() {
  const shortcuts = useShortcutList();
  const groups = Map.groupBy(shortcuts, ({ group }) => group);
  return (
    <div className="keys">
      {[...groups].map(([group, members]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {[...Map.groupBy(members, ({ says }) => says)].map(([says, ways]) => (
              <div key={says}>
                <dt>{says}</dt>
                <dd>
                  {waysOf(ways).map((keys, index) => (
                    <span key={keys}>
                      {index > 0 && <span className="faint">or </span>}
                      {keys.split(' ').map((key) => (
                        <kbd key={key}>{NAMES[key] ?? key}</kbd>
                      ))}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** A component that is there twice has its shortcut only once. */
function waysOf(ways: readonly Shortcut[]): readonly string[] {
  return [...new Set(ways.map(({ keys }) => keys))];
}
