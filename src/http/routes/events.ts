/** Everything that happens, as it happens, beginning where the reader left off. */
import { LegionError } from '../../core/model/fault.ts';
import { monitoringEndpoints } from '../../protocol/endpoints/monitoring.ts';
import { eventNumber } from '../../protocol/params.ts';
import { check, type Route, route } from '../route.ts';
import { streamEvents } from '../stream-events.ts';

const { mediaType } = monitoringEndpoints.events;

export const EVENTS_ROUTE: Route = route(monitoringEndpoints.events, (c, { query }) => {
  const { version } = c.env.services.daemon.events;
  // The header counts more: a browser that reconnects sends it along with the address it first had.
  const last = c.req.header('last-event-id');
  const after = last === undefined ? query.after : check(eventNumber, last, 'Last-Event-ID');
  if (after !== undefined && after > version) {
    throw new LegionError('input.invalid', `after: there is no event ${after} yet, the newest is ${version}`);
  }
  // A HEAD request asks about the stream and does not read it.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': mediaType });
  return streamEvents(c, after ?? version);
});
