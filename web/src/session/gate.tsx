/** Shows the dashboard if there is a session. Otherwise explains how to log in. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, isSignedOut } from '../api/api-error.ts';
import { sessionQuery } from '../api/queries.ts';
import { useTitle } from '../attention/title.ts';
import { Mark } from '../components/mark.tsx';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { sessionKey } from './key.ts';
import { closeSession } from './login.ts';
import { SessionContext } from './session.ts';

type EntryState = 'none' | 'pending' | { readonly refused: Error };

interface GateProps {
  readonly entering: Promise<void> | null;
  readonly children: ReactNode;
}

export function Gate({ entering, children }: GateProps) {
  const client = useQueryClient();
  const [entry, setEntry] = useState<EntryState>(entering === null ? 'none' : 'pending');
  const [hasLeft, setHasLeft] = useState(false);
  const session = useQuery({ ...sessionQuery, enabled: entry !== 'pending' && !hasLeft });

  const isOut = isSignedOut(session.error);

  useEffect(() => {
    entering?.then(
      () => setEntry('none'),
      (refused: Error) => setEntry({ refused }),
    );
  }, [entering]);

  // Rechecks the session when another tab logs in or out, or when the person returns to this tab
  // after the session has ended.
  useEffect(() => {
    const recheck = () => {
      setHasLeft(sessionKey.read() === null);
      void client.resetQueries({ queryKey: sessionQuery.queryKey });
    };
    const unwatch = sessionKey.watch(recheck);
    const onFocus = () => {
      if (isOut) recheck();
    };
    window.addEventListener('focus', onFocus);
    return () => {
      unwatch();
      window.removeEventListener('focus', onFocus);
    };
  }, [client, isOut]);

  if (hasLeft) return <SignedOutPage because="left" />;
  if (session.data !== undefined && !isOut) {
    const logOut = () => {
      void closeSession()
        .catch(() => undefined) // the page forgets the session even if this fails
        .then(() => {
          setHasLeft(true);
          client.clear();
        });
    };
    return <SessionContext value={{ ...session.data, leave: logOut }}>{children}</SessionContext>;
  }
  if (typeof entry === 'object' && session.isError)
    return <SignedOutPage because="code" error={entry.refused} />;
  if (isOut) return <SignedOutPage because={sessionKey.read() === null ? 'new' : 'expired'} />;
  const problem = session.error ?? (session.failureCount > 1 ? session.failureReason : null);
  if (problem !== null) return <SignedOutPage because="away" error={problem} />;
  return <ShellSkeleton />;
}

type SignedOutReason = 'new' | 'expired' | 'left' | 'code' | 'away';

const SIGNED_OUT_TEXTS: Readonly<Record<SignedOutReason, { title: string; text: string; command: string }>> =
  {
    new: {
      title: 'Open the dashboard from a terminal',
      text: 'Only the operator may see this page. To log in, run this in the project’s folder:',
      command: 'legion open',
    },
    expired: {
      title: 'Your session has expired',
      text: 'Sessions end after twelve hours without use, and after seven days at the latest. Nothing is lost and Legion keeps running. To log in again, run:',
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
      text: 'This page reconnects automatically as soon as the daemon is back. If it was stopped, start it:',
      command: 'legion up',
    },
  };

/** Page shown without a session: explains why there is none, and which command logs in. */
function SignedOutPage({ because, error }: { readonly because: SignedOutReason; readonly error?: Error }) {
  const { title, text, command } = SIGNED_OUT_TEXTS[because];
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
