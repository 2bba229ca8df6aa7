/**
 * Streams the journal to one reader: first the events that the reader missed, then new events, no
 * faster than the reader reads them.
 */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Clock } from '../core/model/clock.ts';
import type { EventService } from '../daemon/daemon.ts';
import type { ApiContext } from './route.ts';

/** Proxies and browsers drop a silent connection after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;
/**
 * A comment in the event stream, which readers skip. It shows both ends that the connection still
 * works.
 */
const HEARTBEAT = ': still here\n\n';
/**
 * Makes a browser reconnect after 1000 ms, because a restarted daemon answers again within a
 * second.
 */
const GREETING = 'retry: 1000\n\n';
/**
 * A reader that reads nothing for four heartbeats is disconnected, even if its socket still seems
 * open.
 */
const STALL_TIMEOUT_MS = 60_000;

export function streamEvents(c: ApiContext, after: number): Response {
  const { caller, outgoing } = c.env;
  const { daemon, clock, streams, sessions, report } = c.env.services;
  const session = caller.is === 'operator' ? caller.session : undefined;
  const closing = new AbortController();
  const end = () => closing.abort();
  const release = streams.add(end);
  session?.over.addEventListener('abort', end);

  const response = streamSSE(c, async (stream) => {
    stream.onAbort(end);
    const reader: EventReader = {
      stream,
      clock,
      over: closing.signal,
      isOpen() {
        // Ends expired sessions here, because a stream sends no further requests that would do so.
        if (session !== undefined) sessions.sweep();
        return !closing.signal.aborted;
      },
      disconnect() {
        end();
        outgoing.destroy();
      },
    };
    // Errors are caught here, because Hono would send their message to the reader.
    await sendEvents(reader, daemon.events, after).catch(report);
    end();
    session?.over.removeEventListener('abort', end);
    release();
  });
  response.headers.set('content-type', 'text/event-stream; charset=utf-8');
  return response;
}

interface EventReader {
  readonly stream: SSEStreamingApi;
  readonly clock: Clock;
  readonly over: AbortSignal;
  isOpen(): boolean;
  /**
   * Disconnects the reader at once. An orderly end would wait until the reader has read everything.
   */
  disconnect(): void;
}

/**
 * Sends events without queueing them in memory. A hint says only that new events exist. Events that
 * a slow reader has not read yet stay in the journal.
 */
async function sendEvents(reader: EventReader, events: EventService, after: number): Promise<void> {
  const { stream, clock, over } = reader;
  const waitForHint = subscribeHints((listener) => events.subscribe(listener), clock, over);
  let last = after;
  let isNew = true;
  await waitUntilTaken(reader, stream.write(GREETING));
  while (reader.isOpen()) {
    if (isNew) last = await sendMissedEvents(reader, events, last);
    else await waitUntilTaken(reader, stream.write(HEARTBEAT));
    isNew = await waitForHint(HEARTBEAT_MS);
  }
}

async function sendMissedEvents(reader: EventReader, events: EventService, after: number): Promise<number> {
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

/**
 * Resolves when the reader has taken the data, or when the stream is over. Disconnects a reader
 * that has stalled.
 */
async function waitUntilTaken(
  { clock, over, disconnect }: EventReader,
  written: Promise<unknown>,
): Promise<void> {
  const waiting = new AbortController();
  const stopWaiting = () => waiting.abort();
  void written.then(stopWaiting);
  over.addEventListener('abort', stopWaiting);
  const hasStalled = await clock.sleep(STALL_TIMEOUT_MS, waiting.signal).then(
    () => true,
    () => false,
  );
  over.removeEventListener('abort', stopWaiting);
  if (hasStalled) disconnect();
}

/**
 * Resolves to true after a hint, including a hint from before the call. Resolves to false after
 * `ms` without a hint, or when the stream is over.
 */
type WaitForHint = (ms: number) => Promise<boolean>;

/** `closing` ends the subscription and all current and later waits. */
function subscribeHints(
  subscribe: (listener: () => void) => () => void,
  clock: Clock,
  closing: AbortSignal,
): WaitForHint {
  let isHinted = false;
  let delay: AbortController | undefined;
  const unsubscribe = subscribe(() => {
    isHinted = true;
    delay?.abort();
  });
  closing.addEventListener('abort', () => {
    unsubscribe();
    delay?.abort();
  });

  return async (ms) => {
    if (!isHinted && !closing.aborted) {
      delay = new AbortController();
      // The sleep rejects when a hint ends it early.
      await clock.sleep(ms, delay.signal).catch(() => undefined);
      delay = undefined;
    }
    const wasHinted = isHinted;
    // The caller reads the journal after this point, so later hints apply to the next wait.
    isHinted = false;
    return wasHinted;
  };
}
