/** Waits for a fact on the daemon's event stream: an issue's status, not the text of a message about it. */
import type { Event } from '../src/domain/event.ts';
import type { SeenStatus } from '../src/domain/status.ts';

/** Resolves when the board shows the issue in this status; releases the stream in any case. */
export async function waitForStatus(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  issue: string,
  status: SeenStatus,
  signal: AbortSignal,
): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      if (lines.some((line) => isSighting(line, issue, status))) return;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  signal.throwIfAborted();
  throw new Error(`The event stream ended before ${issue} was ${status}.`);
}

function isSighting(line: string, issue: string, status: SeenStatus): boolean {
  if (!line.startsWith('data: ')) return false;
  const event = JSON.parse(line.slice('data: '.length)) as Event;
  return event.type === 'issue.sighted' && event.issue === issue && event.status === status;
}
