/** The list of shortcuts that `?` opens. */
import { Dialog } from '../components/dialog.tsx';
import { type Shortcut, useShortcut, useShortcutList } from './shortcuts.tsx';

interface ShortcutHelpProps {
  readonly isOpen: boolean;
  onToggle(isOpen: boolean): void;
}

export function ShortcutHelp({ isOpen, onToggle }: ShortcutHelpProps) {
  useShortcut({ keys: '?', label: 'Show this list', group: 'Everywhere', run: () => onToggle(true) });
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
            {[...Map.groupBy(members, ({ label }) => label)].map(([label, shortcuts]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {listKeys(shortcuts).map((keys, index) => (
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

/**
 * Lists each shortcut once, although a component that is rendered twice registers its shortcut
 * twice.
 */
function listKeys(shortcuts: readonly Shortcut[]): readonly string[] {
  return [...new Set(shortcuts.map(({ keys }) => keys))];
}
