/** Follows the daemon's event stream, which costs it less than answering polls. */
import type { Event } from '../../src/core/model/event.ts';
import type { SeenStatus } from '../../src/core/model/status.ts';
import { readEventStream } from '../../src/lib/event-stream.ts';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Ends with the stream; releases it in any case. */
export async function* followEvents(stream: Bytes, signal: AbortSignal): AsyncGenerator<Event> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const batch of readEventStream(chunksOf(reader))) {
      for (const data of batch) yield JSON.parse(data) as Event;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  signal.throwIfAborted();
}

async function* chunksOf(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Resolves when the board shows the issue in this status; releases the stream in any case. */
export async function waitForStatus(
  stream: Bytes,
  issue: string,
  status: SeenStatus,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of followEvents(stream, signal)) {
    if (event.type === 'issue.sighted' && event.issue === issue && event.status === status) return;
  }
  throw new Error(`The event stream ended before ${issue} was ${status}.`);
}
