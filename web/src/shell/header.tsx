/** The top of every page: whose legion it is, how it is, the search, and the page's own settings. */

import { Link } from 'wouter';
import { Mark } from '../components/mark.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import { useSession } from '../session/gate.tsx';
import { chooseTheme, THEMES, useTheme } from '../theme/theme.ts';
import { useHalt } from './halt.tsx';
import { HealthButton } from './health-button.tsx';
import { Search } from './search.tsx';

interface HeaderProps {
  /** Shows the list of shortcuts. */
  onHelp(): void;
}

export function Header({ onHelp }: HeaderProps) {
  const { legion, backend } = useSession();
  return (
    <header className="header">
      <Link to="/" className="header-name" title={`Legion ${legion}, issues from ${backend}`}>
        <Mark />
        <span className="header-legion">{legion}</span>
      </Link>
      <HealthButton />
      <Search />
      <Settings onHelp={onHelp} />
    </header>
  );
}

const THEME_WORDS = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;
const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

function Settings({ onHelp }: HeaderProps) {
  const { leave } = useSession();
  const theme = useTheme();
  const { halt } = useHalt();
  return (
    <div className="header-settings">
      <MenuButton
        name={`Colours: ${THEME_WORDS[theme].toLowerCase()}`}
        icon={THEME_ICONS[theme]}
        items={THEMES.map((each) => ({
          id: each,
          says: THEME_WORDS[each],
          isChosen: each === theme,
          run: () => chooseTheme(each),
        }))}
      />
      <MenuButton
        name="More"
        icon="more"
        items={[
          { id: 'halt', says: 'Halt everything …', run: halt },
          { id: 'keys', says: 'Keyboard shortcuts', run: onHelp },
          { id: 'leave', says: 'Log out', run: leave },
        ]}
      />
    </div>
  );
}
