/** Sends the journal to one reader: what it has missed, then what happens, as fast as it reads and no faster. */
import type { ServerResponse } from 'node:http';
import type { EventsDesk } from '../../daemon/daemon.ts';
import type { Clock } from '../../domain/clock.ts';
import { SAFE_HEADERS } from '../answer.ts';
import { doorbell } from './doorbell.ts';
import { frame, GREETING, HEARTBEAT } from './frame.ts';
import { type Reader, reader } from './reader.ts';

/** Proxies and browsers give a silent connection up after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;

export interface Sending {
  /** Resolves when the stream is over, for whatever reason; rejects when the journal could not be read. */
  readonly over: Promise<void>;
  end(): void;
}

export function sendEvents(
  outgoing: ServerResponse,
  events: EventsDesk,
  after: number,
  clock: Clock,
  mayGoOn: () => boolean,
): Sending {
  const bell = doorbell((listener) => events.subscribe(listener), clock);
  const to = reader(outgoing, clock, bell.stop);
  outgoing.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });

  const isThere = () => to.isThere() && mayGoOn();
  const over = send({ ...to, isThere }, events, after, bell.rang).finally(() => {
    to.leave();
    outgoing.end();
  });
  return { over, end: to.leave };
}

/**
 * No event is ever queued here: a hint only says that there is more, and what a slow reader has not taken yet stays in the
 * journal.
 */
async function send(
  to: Reader,
  events: EventsDesk,
  after: number,
  rang: (ms: number) => Promise<boolean>,
): Promise<void> {
  let last = after;
  let isNew = true;
  await to.write(GREETING);
  while (to.isThere()) {
    if (isNew) last = await catchUp(to, events, last);
    else await to.write(HEARTBEAT);
    isNew = await rang(HEARTBEAT_MS);
  }
}

async function catchUp(to: Reader, events: EventsDesk, after: number): Promise<number> {
  let last = after;
  for await (const batch of events.read(after)) {
    for (const event of batch) {
      if (!to.isThere()) return last;
      await to.write(frame(event));
      last = event.seq;
    }
  }
  return last;
}
