/** Shows the dashboard to whoever has a session, and to everybody else how to get one. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { SessionView } from '../../../src/protocol/dashboard.ts';
import { isSignedOut } from '../api/api-error.ts';
import { sessionQuery } from '../api/queries.ts';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { leave } from './enter.ts';
import { key } from './key.ts';
import { Outside } from './outside.tsx';

interface Session extends SessionView {
  leave(): void;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session outside of the gate');
  return session;
}

type Entry = 'none' | 'pending' | { readonly refused: Error };

interface GateProps {
  readonly entering: Promise<void> | null;
  readonly children: ReactNode;
}

export function Gate({ entering, children }: GateProps) {
  const client = useQueryClient();
  const [entry, setEntry] = useState<Entry>(entering === null ? 'none' : 'pending');
  const [hasLeft, setHasLeft] = useState(false);
  const session = useQuery({ ...sessionQuery, enabled: entry !== 'pending' && !hasLeft });

  const isOut = isSignedOut(session.error);

  useEffect(() => {
    entering?.then(
      () => setEntry('none'),
      (refused: Error) => setEntry({ refused }),
    );
  }, [entering]);

  // Another tab that enters, and a person who comes back to this one, are reasons to look again.
  useEffect(() => {
    const look = () => {
      setHasLeft(key.read() === null);
      void client.resetQueries({ queryKey: sessionQuery.queryKey });
    };
    const unwatch = key.watch(look);
    const onFocus = () => {
      if (isOut) look();
    };
    window.addEventListener('focus', onFocus);
    return () => {
      unwatch();
      window.removeEventListener('focus', onFocus);
    };
  }, [client, isOut]);

  if (hasLeft) return <Outside because="left" />;
  if (session.data !== undefined && !isOut) {
    const goOut = () => {
      void leave()
        .catch(() => undefined) // it is forgotten here in any case
        .then(() => {
          setHasLeft(true);
          client.clear();
        });
    };
    return <SessionContext value={{ ...session.data, leave: goOut }}>{children}</SessionContext>;
  }
  if (typeof entry === 'object' && session.isError) return <Outside because="code" error={entry.refused} />;
  if (isOut) return <Outside because={key.read() === null ? 'new' : 'expired'} />;
  const trouble = session.error ?? (session.failureCount > 1 ? session.failureReason : null);
  if (trouble !== null) return <Outside because="away" error={trouble} />;
  return <ShellSkeleton />;
}
