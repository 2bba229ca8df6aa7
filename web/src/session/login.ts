/**
 * Logs in with the code from the address. `legion open` puts the code after the `#`, so that it
 * reaches no server and no log.
 */
import { createCall, sendRequest } from '../api/request.ts';
import { sessionKey } from './key.ts';

const CODE = /^#enter=(.+)$/;

/** Removes the code from the address at once, before anything else can read it. */
export function takeLoginCode(): string | null {
  const [, code] = CODE.exec(window.location.hash) ?? [];
  if (code === undefined) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return decodeURIComponent(code);
}

export async function openSession(code: string): Promise<void> {
  const answer = await sendRequest(createCall('POST /session', { body: { code } }), ['key']);
  sessionKey.keep(answer.key);
}

/** Logs out. Forgets the session on this page even if the daemon is unreachable. */
export async function closeSession(): Promise<void> {
  try {
    await sendRequest(createCall('DELETE /session'), []);
  } finally {
    sessionKey.forget();
  }
}
