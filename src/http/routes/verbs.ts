/** What a worker reports, under the identity its token proves. */
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { reportEndpoints } from '../../protocol/endpoints/reports.ts';
import { limitBody, readJson } from '../read-json.ts';
import { type ApiContext, check, type Route, sendJson } from '../route.ts';

const endpoint = reportEndpoints.verb;
/** The same for every try of one message, so that it counts once. */
const messageId = z.uuid().optional();

export const VERB_ROUTE: Route = {
  endpoint,
  handlers: [
    limitBody(),
    async (c: ApiContext) => {
      const { caller, services } = c.env;
      if (caller.is !== 'worker')
        throw new LegionError('http.forbidden', 'only a worker’s token may use this route');
      const { verb } = check(endpoint.params, c.req.param(), 'path');
      const message = check(messageId, c.req.header('idempotency-key'), 'Idempotency-Key');
      // The verb checks the body itself: the daemon takes the same from an outbox, unseen by any server.
      return sendJson(c, await services.daemon.speech.say(caller.worker, verb, await readJson(c), message));
    },
  ],
};
