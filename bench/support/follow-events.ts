/** Follows the daemon's event stream, which costs the daemon less than answering polls. */
import type { Event } from '../../src/core/model/event.ts';
import type { ObservedStatus } from '../../src/core/model/status.ts';
import { readEventStream } from '../../src/lib/event-stream.ts';

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Yields the events until the stream ends, and always releases the stream. */
export async function* readDaemonEvents(stream: ByteStream, signal: AbortSignal): AsyncGenerator<Event> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const batch of readEventStream(readChunks(reader))) {
      for (const data of batch) yield JSON.parse(data) as Event;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  signal.throwIfAborted();
}

async function* readChunks(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Resolves when the board shows the issue in this status. Always releases the stream. */
export async function waitForStatus(
  stream: ByteStream,
  issue: string,
  status: ObservedStatus,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of readDaemonEvents(stream, signal)) {
    if (event.type === 'issue.sighted' && event.issue === issue && event.status === status) return;
  }
  throw new Error(`The event stream ended before ${issue} was ${status}.`);
}
