/** How a browser logs in, what it needs to know of the legion it shows, and how it logs out. */
import type { Socket } from 'node:net';
import { setCookie } from 'hono/cookie';
import { LegionError } from '../../core/model/fault.ts';
import { sessionEndpoints } from '../../protocol/endpoints/session.ts';
import { type ApiContext, jsonRoute, type Route, route, sendJson } from '../route.ts';
import { toCookieName } from '../sessions/session-cookies.ts';
import { TOTAL_MS } from '../sessions/sessions.ts';
import { socketOwner } from '../sessions/socket-owner.ts';

/** Root can do everything anyway, and stands in for the browser where a machine forwards its ports. */
const ROOT_UID = 0;

export const SESSION_ROUTES: readonly Route[] = [
  route(sessionEndpoints.createCode, (c) => sendJson(c, c.env.services.sessions.codes.make(), 201)),
  route(sessionEndpoints.enter, async (c, { body }) => {
    await refuseOtherUser(c.env.incoming.socket);
    const { cookie, key } = await c.env.services.sessions.enter(body.code);
    setSessionCookie(c, cookie, TOTAL_MS);
    return sendJson(c, { key }, 201);
  }),
  jsonRoute(sessionEndpoints.show, (daemon) => daemon.session()),
  route(sessionEndpoints.leave, async (c) => {
    const { caller, services } = c.env;
    const session = caller.is === 'operator' ? caller.session : undefined;
    await services.sessions.leave(session);
    if (session === undefined) return sendJson(c, { says: 'No browser is logged in any more.' });
    setSessionCookie(c, '', 0);
    return sendJson(c, { says: 'You are logged out.' });
  }),
];

/** Without `Secure`, which browsers treat differently on loopback; the prefix `__Host-` would need it. */
function setSessionCookie(c: ApiContext, value: string, lastsMs: number): void {
  setCookie(c, toCookieName(c.env.incoming.socket.localPort), value, {
    path: '/',
    maxAge: Math.floor(lastsMs / 1_000),
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/**
 * Every user of the machine can read the code for a moment: it is on the browser's command line. So it counts only
 * on a connection of the daemon's own user. Refused before the code is used, which stays valid.
 */
async function refuseOtherUser(socket: Socket): Promise<void> {
  const owner = socketOwner(socket);
  if (owner === undefined || owner === ROOT_UID || owner === process.getuid?.()) return;
  throw new LegionError('http.forbidden', `a process of another user (uid ${owner}) brings the code`);
}
