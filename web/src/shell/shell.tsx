/** The frame around every page: navigation, status, and whether the page is current. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { SCRIPTED_BANNER } from '../../../src/domain/scripted.ts';
import { useAnnounce } from '../announce/announcer.tsx';
import { healthQuery } from '../api/queries.ts';
import { useWaiting } from '../attention/attention.tsx';
import { Icon } from '../components/icon.tsx';
import { ShortcutHelp } from '../keys/help.tsx';
import { useShortcut } from '../keys/shortcuts.tsx';
import { useConnection } from '../live/live.tsx';
import { go } from '../router/location.ts';
import { ROUTES, type Route } from '../routes.tsx';
import { HaltedBanner } from './halt.tsx';
import { Header } from './header.tsx';

export function Shell({ children }: { readonly children: ReactNode }) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Header onHelp={() => setIsHelpOpen(true)} />
      <Navigation />
      <main id="page" className="shell-page" tabIndex={-1}>
        <ConnectionBanner />
        <HaltedBanner />
        <ScriptedBanner />
        {children}
      </main>
      <ShortcutHelp isOpen={isHelpOpen} onToggle={setIsHelpOpen} />
    </div>
  );
}

/** Stays as long as the scripted agent is in use: what looks like finished work is none. */
function ScriptedBanner() {
  const { data: health } = useQuery(healthQuery);
  if (health?.scripted !== true) return null;
  return (
    <div className="banner tone-warn" role="note">
      <strong>{SCRIPTED_BANNER}</strong>
    </div>
  );
}

/** In sight only while what is shown may be old. */
function ConnectionBanner() {
  const connection = useConnection();
  const announce = useAnnounce();
  const before = useRef(connection);
  useEffect(() => {
    if (before.current === 'away' && connection === 'live') announce('The daemon is back.');
    before.current = connection;
  }, [connection, announce]);
  if (connection !== 'away') return null;
  return (
    <div className="banner tone-warn" role="status">
      <span className="pulse" aria-hidden="true" />
      <span>
        <strong>Reconnecting.</strong> The daemon does not answer; this page shows the last known state.
        Workers keep running.
      </span>
    </div>
  );
}

/** The ways between pages: a sidebar where there is room, a bar at the bottom on a phone. */
function Navigation() {
  return (
    <nav className="nav" aria-label="Pages">
      {ROUTES.map((route) =>
        route.nav === undefined ? null : <Entry key={route.pattern} route={route} nav={route.nav} />,
      )}
    </nav>
  );
}

interface EntryProps {
  readonly route: Route;
  readonly nav: NonNullable<Route['nav']>;
}

function Entry({ route: { pattern }, nav: { says, icon, key } }: EntryProps) {
  const [path] = useLocation();
  const waiting = useWaiting();
  useShortcut({ keys: `g ${key}`, says, group: 'Go to', run: () => go(pattern) });
  const count = pattern === '/inbox' ? waiting : 0;
  const isHere = path === pattern || (pattern === '/' && path.startsWith('/issues/'));
  return (
    <Link to={pattern} className="nav-entry" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} size={18} />
      <span>{says}</span>
      {count > 0 && (
        <span className="nav-count">
          {count}
          <span className="unseen"> waiting for you</span>
        </span>
      )}
    </Link>
  );
}
