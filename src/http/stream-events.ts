/** Streams the journal to one reader: what it has missed, then what happens, as fast as it reads and no faster. */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { EventsDesk } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import type { ApiContext } from './route.ts';

/** Proxies and browsers give up on a silent connection after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;
/** A comment, which readers skip: it shows both ends that the other one is there. */
const HEARTBEAT = ': still here\n\n';
/** Milliseconds after which a browser reconnects: a restarted daemon is back within one second. */
const GREETING = 'retry: 1000\n\n';
/** A reader that takes nothing while four heartbeats are due is gone, whatever its socket says. */
const STALLED_MS = 60_000;

export function streamEvents(c: ApiContext, after: number): Response {
  const { caller, outgoing } = c.env;
  const { daemon, clock, streams, sessions, report } = c.env.services;
  const session = caller.is === 'operator' ? caller.session : undefined;
  const over = new AbortController();
  const end = () => over.abort();
  const release = streams.add(end);
  session?.over.addEventListener('abort', end);

  const response = streamSSE(c, async (stream) => {
    stream.onAbort(end);
    const reader: Reader = {
      stream,
      clock,
      over: over.signal,
      isOpen() {
        // A stream makes no further request that would show that its session has ended.
        if (session !== undefined) sessions.sweep();
        return !over.signal.aborted;
      },
      disconnect() {
        end();
        outgoing.destroy();
      },
    };
    // Hono would send the message of an error to the reader.
    await sendEvents(reader, daemon.events, after).catch(report);
    end();
    session?.over.removeEventListener('abort', end);
    release();
  });
  response.headers.set('content-type', 'text/event-stream; charset=utf-8');
  return response;
}

interface Reader {
  readonly stream: SSEStreamingApi;
  readonly clock: Clock;
  readonly over: AbortSignal;
  isOpen(): boolean;
  /** Gives up on a reader; an orderly end would wait until it has taken everything. */
  disconnect(): void;
}

/** Queues no event: a hint only says that there is more, and the journal keeps what a slow reader has not taken. */
async function sendEvents(reader: Reader, events: EventsDesk, after: number): Promise<void> {
  const { stream, clock, over } = reader;
  const waitForHint = subscribeHints((listener) => events.subscribe(listener), clock, over);
  let last = after;
  let isNew = true;
  await waitUntilTaken(reader, stream.write(GREETING));
  while (reader.isOpen()) {
    if (isNew) last = await catchUp(reader, events, last);
    else await waitUntilTaken(reader, stream.write(HEARTBEAT));
    isNew = await waitForHint(HEARTBEAT_MS);
  }
}

async function catchUp(reader: Reader, events: EventsDesk, after: number): Promise<number> {
  let last = after;
  for await (const batch of events.read(after)) {
    for (const event of batch) {
      if (!reader.isOpen()) return last;
      const { seq, type } = event;
      const written = reader.stream.writeSSE({ id: `${seq}`, event: type, data: JSON.stringify(event) });
      await waitUntilTaken(reader, written);
      last = seq;
    }
  }
  return last;
}

/** Also resolves when the stream is over, and disconnects a reader that has stalled. */
async function waitUntilTaken({ clock, over, disconnect }: Reader, written: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const stopWaiting = () => patience.abort();
  void written.then(stopWaiting);
  over.addEventListener('abort', stopWaiting);
  const hasStalled = await clock.sleep(STALLED_MS, patience.signal).then(
    () => true,
    () => false,
  );
  over.removeEventListener('abort', stopWaiting);
  if (hasStalled) disconnect();
}

/** Resolves to true after a hint, also one before the call; to false after `ms` without one, or when it is over. */
type WaitForHint = (ms: number) => Promise<boolean>;

/** `over` ends the subscription and every wait, for good. */
function subscribeHints(
  subscribe: (listener: () => void) => () => void,
  clock: Clock,
  over: AbortSignal,
): WaitForHint {
  let isHinted = false;
  let nap: AbortController | undefined;
  const unsubscribe = subscribe(() => {
    isHinted = true;
    nap?.abort();
  });
  over.addEventListener('abort', () => {
    unsubscribe();
    nap?.abort();
  });

  return async (ms) => {
    if (!isHinted && !over.aborted) {
      nap = new AbortController();
      // Rejects when a hint ends it.
      await clock.sleep(ms, nap.signal).catch(() => undefined);
      nap = undefined;
    }
    const wasHinted = isHinted;
    // Every hint from here on counts for the next wait: the caller reads after this.
    isHinted = false;
    return wasHinted;
  };
}
