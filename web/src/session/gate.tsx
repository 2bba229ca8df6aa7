/** Shows the dashboard to whoever has a session, and to everybody else how to get one. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { SessionView } from '../../../src/protocol/dashboard.ts';
import { ApiError, isSignedOut } from '../api/api-error.ts';
import { sessionQuery } from '../api/queries.ts';
import { useTitle } from '../attention/title.ts';
import { Mark } from '../components/mark.tsx';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { leave } from './enter.ts';
import { key } from './key.ts';

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

type Because = 'new' | 'expired' | 'left' | 'code' | 'away';

const WORDS: Readonly<Record<Because, { title: string; text: string; command: string }>> = {
  new: {
    title: 'Open the dashboard from a terminal',
    text: 'Only the operator may see this page. To log in, run this in the project’s folder:',
    command: 'legion open',
  },
  expired: {
    title: 'Your session has expired',
    text: 'Sessions end after twelve hours without use, and after seven days. Nothing is lost and Legion keeps running. To log in again, run:',
    command: 'legion open',
  },
  left: {
    title: 'You are logged out',
    text: 'This browser no longer has access. Legion keeps running. To log in again, run:',
    command: 'legion open',
  },
  code: {
    title: 'This link has expired',
    text: 'A link from `legion open` works once and for one minute. Get a new one:',
    command: 'legion open',
  },
  away: {
    title: 'The daemon is not running',
    text: 'This page reconnects by itself as soon as the daemon is back. If it was stopped, start it:',
    command: 'legion up',
  },
};

/** The page without a session: explains why, and names the command that signs in. */
function Outside({ because, error }: { readonly because: Because; readonly error?: Error }) {
  const { title, text, command } = WORDS[because];
  useTitle(`${title} · Legion`);
  return (
    <main className="outside">
      <div className="outside-card">
        <Mark className="outside-mark" />
        <h1>{title}</h1>
        <p>{text}</p>
        <pre className="command">
          <code>{command}</code>
        </pre>
        {because === 'away' && (
          <p className="outside-waiting" role="status">
            <span className="pulse" aria-hidden="true" /> Reconnecting
          </p>
        )}
        {error !== undefined && (
          <p className="faint">
            {error.message} {error instanceof ApiError && <code>{error.code}</code>}
          </p>
        )}
      </div>
    </main>
  );
}
