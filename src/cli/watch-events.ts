/** Follows a legion's events through restarts of its daemon, without gaps or duplicates. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import { LegionError } from '../core/model/fault.ts';
import { readEventStream } from '../lib/event-stream.ts';
import { parseJson } from '../lib/json.ts';
import { adminEndpoints } from '../protocol/endpoints/admin.ts';
import { createDaemonClient, type DaemonClient } from './daemon-client.ts';

/**
 * Retries after 250, 500, 1000, 2000, 4000, 5000 … ms. A restart takes about a second, and polling
 * a stopped daemon must stay cheap.
 */
const INITIAL_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;

export type EventWatchUpdate =
  | { readonly kind: 'connected'; readonly daemon: DaemonClient }
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'away'; readonly why: string; readonly retryMs: number };

export interface WatchEventsOptions {
  /** Starts after this event. If absent, starts `back` events before the current end. */
  readonly after?: number | undefined;
  readonly back: number;
}

/**
 * Yields events until the signal aborts. Rejects if no daemon is running at the start; if the
 * daemon stops later, waits for the next one.
 */
export async function* watchEvents(
  state: string,
  { after, back }: WatchEventsOptions,
  signal: AbortSignal,
): AsyncGenerator<EventWatchUpdate> {
  let last = after;
  let failures = 0;
  let hasStarted = false;
  while (!signal.aborted) {
    try {
      const daemon = createDaemonClient(state, signal);
      const { journalVersion } = await daemon.call(adminEndpoints.health);
      last ??= Math.max(0, journalVersion - back);
      hasStarted = true;
      yield { kind: 'connected', daemon };
      for await (const event of readEventsAfter(daemon, last, signal)) {
        failures = 0;
        if (event.seq <= last) continue;
        last = event.seq;
        yield { kind: 'event', event };
      }
      throw new LegionError('daemon.unreachable', 'The daemon closed the connection.');
    } catch (error) {
      // After an abort, the connection may fail with any error, so the error is ignored.
      if (signal.aborted) return;
      if (!(error instanceof LegionError) || !hasStarted) throw error;
      const retryMs = Math.min(INITIAL_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
      failures += 1;
      yield { kind: 'away', why: error.message, retryMs };
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * Checks only the envelope, because a newer daemon may send event types that this version does not
 * know.
 */
const sentEventSchema = z.looseObject({ seq: z.int(), at: z.number(), type: z.string() });

export type SentEvent = z.output<typeof sentEventSchema>;

/**
 * Follows the daemon's event stream: yields the existing events after `after`, then each new event.
 * Ends when the daemon ends the stream.
 */
async function* readEventsAfter(
  daemon: DaemonClient,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const stream = await daemon.open(`/events?after=${after}`, signal);
  stream.setEncoding('utf8');
  try {
    for await (const batch of readEventStream(stream)) yield* batch.map(parseEvent);
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) throw error;
    if (error instanceof RangeError) {
      throw new LegionError('daemon.answer_unknown', `GET /events: ${error.message}`, { cause: error });
    }
    // A broken stream is reported as an unreachable daemon, because a crashing daemon cuts off its
    // streams.
    throw new LegionError('daemon.unreachable', (error as Error).message, { cause: error });
  } finally {
    stream.destroy();
  }
}

function parseEvent(data: string): SentEvent {
  const event = decode(sentEventSchema, parseJson(data), 'event');
  if (event.ok) return event.value;
  throw new LegionError('daemon.answer_unknown', `GET /events: ${event.fault.message}`);
}
