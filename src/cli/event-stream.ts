/** Reads the daemon's events as they happen: a stream of server-sent events, each checked for its envelope. */
import { z } from 'zod';
import { decode } from '../domain/decode.ts';
import { LegionError } from '../domain/fault.ts';
import type { DaemonClient } from './daemon-client.ts';

/** An event of a newer daemon may be of a type this version does not know: its envelope is all that is needed here. */
const sentEventSchema = z.looseObject({ seq: z.int(), at: z.number(), type: z.string() });
export type SentEvent = z.output<typeof sentEventSchema>;

/** One event with a long handoff in it; a line without an end is no event. */
const LINE_MOST_CHARS = 4 * 1_024 * 1_024;

/** Those after `after`, then each new one; ends when the daemon does. */
export async function* eventsAfter(
  daemon: DaemonClient,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  const stream = await daemon.open(`/events?after=${after}`, signal);
  stream.setEncoding('utf8');
  try {
    let data: string[] = [];
    for await (const line of linesOf(stream)) {
      const [, value] = /^data: ?(.*)$/.exec(line) ?? [];
      if (value !== undefined) data.push(value);
      // An empty line ends an event; comments, which keep the connection alive, have no data.
      if (line !== '' || data.length === 0) continue;
      yield eventIn(data.join('\n'));
      data = [];
    }
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) throw error;
    // A daemon that dies leaves its streams in the middle.
    throw new LegionError('daemon.unreachable', (error as Error).message, { cause: error });
  } finally {
    stream.destroy();
  }
}

async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LINE_MOST_CHARS) {
      throw new LegionError(
        'daemon.answer_unknown',
        `GET /events: a line of more than ${LINE_MOST_CHARS} characters`,
      );
    }
  }
}

function eventIn(data: string): SentEvent {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    value = undefined; // the schema then says that everything is missing
  }
  const event = decode(sentEventSchema, value, 'event');
  if (event.ok) return event.value;
  throw new LegionError('daemon.answer_unknown', `GET /events: ${event.fault.message}`);
}
