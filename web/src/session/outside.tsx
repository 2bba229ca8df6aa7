/** The page of somebody without a session: what happened, and the one command that lets them in. */
import { ApiError } from '../api/api-error.ts';
import { useTitle } from '../attention/title.ts';
import { Mark } from '../components/mark.tsx';

type Because = 'new' | 'expired' | 'left' | 'code' | 'away';

const WORDS: Readonly<Record<Because, { title: string; text: string; command: string }>> = {
  new: {
    title: 'Open the dashboard from a terminal',
    text: 'This page shows a legion to whoever may operate it. Your terminal has the key: run this in the project’s folder.',
    command: 'legion open',
  },
  expired: {
    title: 'Your session is over',
    text: 'Sessions end after twelve hours without use, and after seven days. Nothing is lost; the legion goes on. To come back, run:',
    command: 'legion open',
  },
  left: {
    title: 'You have left',
    text: 'This browser no longer has a key to the legion, which goes on without you. To come back, run:',
    command: 'legion open',
  },
  code: {
    title: 'This link does not open anything any more',
    text: 'A link of `legion open` works once and for a minute. Ask for a new one:',
    command: 'legion open',
  },
  away: {
    title: 'The daemon does not answer',
    text: 'This page asks again by itself and goes on as soon as the daemon is back. If it was stopped, start it:',
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
            <span className="pulse" aria-hidden="true" /> Trying again
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
