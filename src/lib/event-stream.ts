/** Reads a stream of server-sent events. */
import { createParser } from 'eventsource-parser';

/** Fits an event with a long handoff in it; more than that is not an event of a sane server. */
const MAX_EVENT_CHARS = 4 * 1_024 * 1_024;

/**
 * The data of the events that each chunk completes: an empty list for a keep-alive comment or a
 * partial event. Throws a RangeError when an event exceeds the size limit.
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
      throw new RangeError(`an event has more than ${MAX_EVENT_CHARS} characters`, { cause: overflow });
    }
  }
}
