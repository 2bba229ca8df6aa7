/** Reads a stream of server-sent events. */
import { createParser } from 'eventsource-parser';

/** Enough for an event with a long handoff. A larger event is not legitimate. */
const MAX_EVENT_CHARS = 4 * 1_024 * 1_024;

/**
 * Yields the data of the events that each chunk completes: an empty list for a keep-alive comment
 * or a partial event. Throws a RangeError if an event exceeds the size limit.
 */
export async function* readEventStream(chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let completed: string[] = [];
  let overflow: Error | undefined;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ data }) => completed.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow = error;
    },
  });
  for await (const chunk of chunks) {
    completed = [];
    parser.feed(chunk);
    yield completed;
    if (overflow !== undefined) {
      throw new RangeError(`An event has more than ${MAX_EVENT_CHARS} characters`, { cause: overflow });
    }
  }
}
