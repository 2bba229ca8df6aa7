/** The page without a session: what happened, and the one command that logs in. */
import { ApiError } from '../api/api-error.ts';
import { useTitle } from '../attention/title.ts';
import { Mark } from '../components/mark.tsx';

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

export function Outside({ because, error }: { readonly because: Because; readonly error?: Error }) {
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
