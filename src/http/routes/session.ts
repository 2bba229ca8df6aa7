/** How a browser comes in, what it needs to know of the legion it shows, and how it leaves. */
import type { Socket } from 'node:net';
import type { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { codeAnswer, enterAnswer, enterRequest, sessionSchema } from '../../protocol/dashboard.ts';
import { saidAnswer } from '../../protocol/operator.ts';
import { jsonAnswer } from '../answer.ts';
import { checked, type Route, route } from '../route.ts';
import { cookieSet } from '../sessions/cookie.ts';
import { TOTAL_MS } from '../sessions/sessions.ts';
import { socketOwner } from '../sessions/socket-owner.ts';

/** Root can do everything anyway, and stands in for the browser where a machine forwards its ports. */
const ROOT_UID = 0;
/** Of somebody who has not proved anything yet: a code has 22 letters. */
const BODY_MOST_BYTES = 1_024;
const JSON_TYPE = 'application/json';

export const SESSION_ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: '/session/codes',
    summary: 'a code that opens the dashboard once, within a minute; for the token only',
    callers: ['token'],
    takes: {},
    gives: { status: 201, type: JSON_TYPE, schema: codeAnswer },
    perform: async ({ sessions }) => jsonAnswer(201, sessions.codes.make()),
  },
  {
    method: 'post',
    path: '/session',
    summary: 'log a browser in with a code, which is the proof, in place of a token',
    callers: ['visitor'],
    takes: { body: enterRequest },
    gives: { status: 201, type: JSON_TYPE, schema: enterAnswer },
    async perform({ sessions }, asked) {
      await refuseOtherUser(asked.outgoing.socket);
      const { code } = checked<z.output<typeof enterRequest>>(
        enterRequest,
        await asked.body(BODY_MOST_BYTES),
        'body',
      );
      const { cookie, key } = await sessions.enter(code);
      const port = asked.outgoing.socket?.localPort;
      return jsonAnswer(201, { key }, { 'set-cookie': cookieSet(port, cookie, TOTAL_MS) });
    },
  },
  route({
    method: 'get',
    path: '/session',
    summary: 'what a page needs to know of the legion it shows',
    answer: sessionSchema,
    perform: (daemon) => daemon.session(),
  }),
  {
    method: 'delete',
    path: '/session',
    summary: 'log this browser out; with the token, every browser',
    takes: {},
    gives: { status: 200, type: JSON_TYPE, schema: saidAnswer },
    async perform({ sessions }, { caller, outgoing }) {
      const session = caller.is === 'operator' ? caller.session : undefined;
      await sessions.leave(session);
      if (session === undefined) return jsonAnswer(200, { says: 'No browser is logged in any more.' });
      const cookie = cookieSet(outgoing.socket?.localPort, '', 0);
      return jsonAnswer(200, { says: 'You are logged out.' }, { 'set-cookie': cookie });
    },
  },
];

/**
 * The address with the code is on the command line of the browser, where every user of the machine can read it for a moment.
 * So it counts only over a connection of the user whose daemon this is. Refused before the code is looked at: it stays good.
 */
async function refuseOtherUser(socket: Socket | null): Promise<void> {
  const owner = socket === null ? undefined : await socketOwner(socket);
  if (owner === undefined || owner === ROOT_UID || owner === process.getuid?.()) return;
  throw new LegionError('http.forbidden', `a process of another user (uid ${owner}) brings the code`);
}
