/** The frame around every page: navigation, status, and whether the page is current. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { SCRIPTED_BANNER } from '../../../src/domain/scripted.ts';
import { useAnnounce } from '../announce/announcer.tsx';
import { healthQuery } from '../api/queries.ts';
import { ShortcutHelp } from '../keys/help.tsx';
import { useConnection } from '../live/live.tsx';
import { HaltedBanner } from './halt.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';

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
