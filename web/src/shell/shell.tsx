/** The frame around every page: navigation, status, and a warning if the data may be stale. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { SCRIPTED_BANNER } from '../../../src/core/model/environment.ts';
import { useAnnounce } from '../announce/announcer.tsx';
import { healthQuery } from '../api/queries.ts';
import { useWaiting } from '../attention/attention.tsx';
import { Icon } from '../components/icon.tsx';
import { ShortcutHelp } from '../keys/help.tsx';
import { useShortcut } from '../keys/shortcuts.tsx';
import { useConnection } from '../live/live-events.ts';
import { openPage } from '../router/location.ts';
import type { PageRoute } from '../router/page-route.ts';
import { HaltedBanner } from './halt.tsx';
import { Header } from './header.tsx';

interface ShellProps {
  /** Pages to list in the navigation. */
  readonly routes: readonly PageRoute[];
  readonly children: ReactNode;
}

export function Shell({ routes, children }: ShellProps) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  return (
    <div className="shell">
      <a className="skip" href="#page">
        Skip to content
      </a>
      <Header onHelp={() => setIsHelpOpen(true)} />
      <Navigation routes={routes} />
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

/** Shown while the legion uses the scripted agent, which only imitates finished work. */
function ScriptedBanner() {
  const { data: health } = useQuery(healthQuery);
  if (health?.scripted !== true) return null;
  return (
    <div className="banner tone-warn" role="note">
      <strong>{SCRIPTED_BANNER}</strong>
    </div>
  );
}

/** Visible only while the data may be stale. */
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
        <strong>Reconnecting.</strong> The daemon is not responding; this page shows the last known state.
        Workers keep running.
      </span>
    </div>
  );
}

/** Navigation between pages: a sidebar on wide screens, a bar at the bottom on a phone. */
function Navigation({ routes }: { readonly routes: readonly PageRoute[] }) {
  return (
    <nav className="nav" aria-label="Pages">
      {routes.map((route) =>
        route.nav === undefined ? null : <Entry key={route.pattern} route={route} nav={route.nav} />,
      )}
    </nav>
  );
}

interface EntryProps {
  readonly route: PageRoute;
  readonly nav: NonNullable<PageRoute['nav']>;
}

function Entry({ route: { pattern }, nav: { label, icon, key } }: EntryProps) {
  const [path] = useLocation();
  const waiting = useWaiting();
  useShortcut({ keys: `g ${key}`, label, group: 'Go to', run: () => openPage(pattern) });
  const count = pattern === '/inbox' ? waiting : 0;
  const isHere = path === pattern || (pattern === '/' && path.startsWith('/issues/'));
  return (
    <Link to={pattern} className="nav-entry" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} size={18} />
      <span>{label}</span>
      {count > 0 && (
        <span className="nav-count">
          {count}
          <span className="unseen"> waiting for you</span>
        </span>
      )}
    </Link>
  );
}
