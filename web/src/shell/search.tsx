/** The search: on the board it filters as one types, from elsewhere it leads there; an issue's id opens the issue. */

import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { boardQuery } from '../api/queries.ts';
import { Icon } from '../components/icon.tsx';
import { useShortcut } from '../keys/shortcuts.tsx';
import { go, setFields, useQueryFields } from '../router/location.ts';

export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const [path] = useLocation();
  const isOnBoard = path === '/';
  const asked = useQueryFields().get('q') ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => setText(isOnBoard ? asked : ''), [asked, isOnBoard]);
  useShortcut({ keys: '/', says: 'Search', group: 'Everywhere', run: () => input.current?.select() });

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
    if (issue !== undefined) go(`/issues/${encodeURIComponent(issue.id)}`);
    else if (!isOnBoard) go(`/?q=${encodeURIComponent(text.trim())}`);
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
