/**
 * Header of every page: the legion's name and status, the search, and the settings of the
 * dashboard.
 */

import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { boardQuery } from '../api/queries.ts';
import { Icon } from '../components/icon.tsx';
import { Mark } from '../components/mark.tsx';
import { MenuButton } from '../components/menu-button.tsx';
import { useShortcut } from '../keys/shortcuts.tsx';
import { openPage, setFields, useQueryFields } from '../router/location.ts';
import { useSession } from '../session/session.ts';
import { chooseTheme, THEMES, useTheme } from '../theme/theme.ts';
import { useHalt } from './halt.tsx';
import { HealthButton } from './health-button.tsx';

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

const THEME_LABELS = { system: 'Same as system', light: 'Light', dark: 'Dark' } as const;
const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;

function Settings({ onHelp }: HeaderProps) {
  const { leave } = useSession();
  const theme = useTheme();
  const { halt } = useHalt();
  return (
    <div className="header-settings">
      <MenuButton
        name={`Colours: ${THEME_LABELS[theme].toLowerCase()}`}
        icon={THEME_ICONS[theme]}
        items={THEMES.map((each) => ({
          id: each,
          label: THEME_LABELS[each],
          isChosen: each === theme,
          run: () => chooseTheme(each),
        }))}
      />
      <MenuButton
        name="More"
        icon="more"
        items={[
          { id: 'halt', label: 'Halt everything…', run: halt },
          { id: 'keys', label: 'Keyboard shortcuts', run: onHelp },
          { id: 'leave', label: 'Log out', run: leave },
        ]}
      />
    </div>
  );
}

/**
 * A search field. It filters the board while the person types. On other pages it opens the board,
 * and an issue's id opens that issue.
 */
function Search() {
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const [path] = useLocation();
  const isOnBoard = path === '/';
  const query = useQueryFields().get('q') ?? '';
  const [text, setText] = useState(query);
  useEffect(() => setText(isOnBoard ? query : ''), [query, isOnBoard]);
  useShortcut({ keys: '/', label: 'Search', group: 'Everywhere', run: () => input.current?.select() });

  const change = (value: string) => {
    setText(value);
    if (isOnBoard) setFields({ q: value });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') input.current?.blur();
      else change('');
    }
    if (event.key !== 'Enter' || text.trim() === '') return;
    const wanted = text.trim().toLowerCase();
    const issue = client
      .getQueryData(boardQuery.queryKey)
      ?.cards.find(({ id }) => id.toLowerCase() === wanted);
    if (issue !== undefined) openPage(`/issues/${encodeURIComponent(issue.id)}`);
    else if (!isOnBoard) openPage(`/?q=${encodeURIComponent(text.trim())}`);
    else document.querySelector<HTMLElement>('[data-card]')?.focus();
  };

  return (
    <search className="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search issues"
        placeholder="Search issues"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <kbd>/</kbd>
    </search>
  );
}
