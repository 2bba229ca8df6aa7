/** Follows the daemon's event stream and validates the envelope of each event. */
import { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { readEventStream } from '../lib/event-stream.ts';
import { parseJson } from '../lib/json.ts';
import type { DaemonClient } from './daemon-client.ts';

/** An event of a newer daemon may be of a type this version does not know: its envelope is all that is needed here. */
const sentEventSchema = z.looseObject({ seq: z.int(), at: z.number(), type: z.string() });
export type SentEvent = z.output<typeof sentEventSchema>;

/** Yields the events after `after`, then each new one; ends when the daemon does. */
export async function* eventsAfter(
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
    // A daemon that dies leaves its streams in the middle.
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
