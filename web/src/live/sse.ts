/** Reads server-sent events out of a response: fetch can send the session's key, which the browser's own reader cannot. */

export interface SentEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One event with a long handoff in it; a line without an end is no event. */
const LINE_MOST_CHARS = 4 * 1_024 * 1_024;

/** Each event in turn, and null for a sign of life without one. */
export async function* sentEvents(stream: ReadableStream<BufferSource>): AsyncGenerator<SentEvent | null> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let data = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      if (rest.length > LINE_MOST_CHARS) throw new Error('an event without an end');
      yield null;
      for (const line of lines) {
        if (line.startsWith('data:')) data += line.slice('data:'.length).trimStart();
        if (line !== '' || data === '') continue;
        const event = eventIn(data);
        data = '';
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // it may be broken already
  }
}

/** What is no event says nothing, and what it would have said is found by the next look. */
function eventIn(data: string): SentEvent | undefined {
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
