/** Entering by a code that `legion open` put behind the `#` of the address, where no server and no log sees it. */
import { call, request } from '../api/request.ts';
import { key } from './key.ts';

const CODE = /^#enter=(.+)$/;

/** Takes the code out of the address at once, before anything else can read it there. */
export function takeCode(): string | null {
  const [, code] = CODE.exec(window.location.hash) ?? [];
  if (code === undefined) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return decodeURIComponent(code);
}

export async function enter(code: string): Promise<void> {
  const answer = await request(call('POST /session', { body: { code } }), ['key']);
  key.keep(answer.key);
}

/** Forgets the session here even where the daemon cannot be told. */
export async function leave(): Promise<void> {
  try {
    await request(call('DELETE /session'), []);
  } finally {
    key.forget();
  }
}
