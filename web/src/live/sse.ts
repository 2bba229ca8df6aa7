/**
 * Reads the daemon's events from a fetch response, because EventSource cannot send the session key.
 */
import { readEventStream } from '../../../src/lib/event-stream.ts';

export interface SentEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Yields each event, and also null for every chunk, as a sign that the connection is alive. */
export async function* readSentEvents(
  stream: ReadableStream<BufferSource>,
): AsyncGenerator<SentEvent | null> {
  for await (const batch of readEventStream(decodeChunks(stream))) {
    yield null;
    for (const data of batch) {
      const event = parseEvent(data);
      if (event !== undefined) yield event;
    }
  }
}

async function* decodeChunks(stream: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the stream may already have failed
  }
}

/** Ignores malformed events: the next refresh reads the same data. */
function parseEvent(data: string): SentEvent | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is SentEvent {
  if (typeof value !== 'object' || value === null) return false;
  return 'seq' in value && typeof value.seq === 'number' && 'type' in value && typeof value.type === 'string';
}
