/** Everything that happens, as it happens, beginning where the reader left off. */
import type { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { SAFE_HEADERS } from '../answer.ts';
import { type Sending, sendEvents } from '../events/send-events.ts';
import { eventNumber, eventsQuery } from '../places.ts';
import { type Asked, checked, type Route } from '../route.ts';

const TYPE = 'text/event-stream';

export const EVENTS_ROUTE: Route = {
  method: 'get',
  path: '/events',
  summary: 'the journal as server-sent events, after `Last-Event-ID` or `after`, else from the present end',
  takes: { query: eventsQuery },
  gives: { status: 200, type: TYPE },
  async perform({ daemon, clock, streams, sessions }, asked) {
    const after = beginning(asked) ?? daemon.events.version;
    if (after > daemon.events.version) {
      throw new LegionError(
        'input.invalid',
        `after: there is no event ${after} yet, the newest is ${daemon.events.version}`,
      );
    }
    // A HEAD request asks about the stream and does not read it.
    if (asked.method === 'HEAD')
      return { status: 200, headers: { ...SAFE_HEADERS, 'content-type': TYPE }, body: '' };
    const { caller, outgoing } = asked;
    const over = caller.is === 'operator' ? caller.session?.over : undefined;
    // A stream asks nothing by which it would be noticed that its session has ended.
    const mayGoOn = () => {
      if (over === undefined) return true;
      sessions.sweep();
      return !over.aborted;
    };
    streams.begin(() => endingWith(over, sendEvents(outgoing, daemon.events, after, clock, mayGoOn)));
    return 'streaming';
  },
};

/** Who logs out reads nothing more. */
function endingWith(over: AbortSignal | undefined, sending: Sending): Sending {
  const leave = () => sending.end();
  over?.addEventListener('abort', leave);
  return { ...sending, over: sending.over.finally(() => over?.removeEventListener('abort', leave)) };
}

/** The header counts more: a browser that reconnects sends it along with the address it first had. */
function beginning({ header, query }: Asked): number | undefined {
  const { after } = checked<z.output<typeof eventsQuery>>(eventsQuery, query, 'query');
  const last = header('last-event-id');
  return last === undefined ? after : checked<number>(eventNumber, last, 'Last-Event-ID');
}
