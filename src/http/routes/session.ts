/** Routes for a browser to log in, read basic facts about the legion, and log out. */
import type { Socket } from 'node:net';
import { setCookie } from 'hono/cookie';
import { LegionError } from '../../core/model/fault.ts';
import { listTcpSockets, type TcpSocket } from '../../lib/process/proc-table.ts';
import { sessionEndpoints } from '../../protocol/endpoints/session.ts';
import { toCookieName } from '../caller.ts';
import { type ApiContext, defineJsonRoute, defineRoute, type HttpRoute, sendJson } from '../route.ts';
import { MAX_SESSION_MS } from '../sessions.ts';

/**
 * Root is accepted: it can do everything anyway, and a program that forwards the browser's
 * connection to this port may run as root.
 */
const ROOT_UID = 0;

export const SESSION_ROUTES: readonly HttpRoute[] = [
  defineRoute(sessionEndpoints.createCode, (c) => sendJson(c, c.env.services.sessions.codes.create(), 201)),
  defineRoute(sessionEndpoints.enter, async (c, { body }) => {
    await refuseOtherUser(c.env.incoming.socket);
    const { cookie, key } = await c.env.services.sessions.enter(body.code);
    setSessionCookie(c, cookie, MAX_SESSION_MS);
    return sendJson(c, { key }, 201);
  }),
  defineJsonRoute(sessionEndpoints.show, (daemon) => daemon.session()),
  defineRoute(sessionEndpoints.leave, async (c) => {
    const { caller, services } = c.env;
    const session = caller.is === 'operator' ? caller.session : undefined;
    await services.sessions.leave(session);
    if (session === undefined) return sendJson(c, { says: 'No browser is logged in any more.' });
    setSessionCookie(c, '', 0);
    return sendJson(c, { says: 'You are logged out.' });
  }),
];

/**
 * Sets the session cookie without `Secure`, because browsers treat `Secure` differently on
 * loopback. Also omits the prefix `__Host-`, which would require `Secure`.
 */
function setSessionCookie(c: ApiContext, value: string, lastsMs: number): void {
  setCookie(c, toCookieName(c.env.incoming.socket.localPort), value, {
    path: '/',
    maxAge: Math.floor(lastsMs / 1_000),
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/**
 * Refuses a login code that another user sends. The code is on the browser's command line, which
 * every user of the machine can briefly read. This check runs before the code is used up, so the
 * code stays valid for its owner.
 */
async function refuseOtherUser(socket: Socket): Promise<void> {
  const owner = findSocketOwner(socket);
  if (owner === undefined || owner === ROOT_UID || owner === process.getuid?.()) return;
  throw new LegionError('http.forbidden', `The code was sent by a process of another user (uid ${owner}).`);
}

/**
 * Finds the local user at the other end of a connection. Returns undefined if the system does not
 * reveal the user, as on macOS.
 */
export function findSocketOwner({ remotePort = 0, localPort = 0 }: Socket): number | undefined {
  return findOwnerOfPorts(listTcpSockets(), remotePort, localPort);
}

/**
 * Both ends are on this machine, so two port numbers identify a connection. The other end's local
 * port is our remote port.
 */
export function findOwnerOfPorts(
  sockets: readonly TcpSocket[],
  theirPort: number,
  ourPort: number,
): number | undefined {
  return sockets.find(({ localPort, remotePort }) => localPort === theirPort && remotePort === ourPort)?.uid;
}
