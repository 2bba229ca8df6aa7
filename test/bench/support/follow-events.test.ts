import { expect, test } from 'vitest';
import { waitForStatus } from '../../../bench/support/follow-events.ts';

const NEVER = new AbortController().signal;

test('waitForStatus resolves when the status arrives, however the stream is split into chunks', async () => {
  const text = frame({ type: 'issue.sighted', issue: 'B-1', status: 'Done' });
  const stream = streamOf([...text].map((character) => character));
  await waitForStatus(stream, 'B-1', 'Done', NEVER);
});

test('waitForStatus ignores other issues, other statuses and texts that mention the status', async () => {
  const stream = streamOf([
    ': still here\n\n',
    frame({ type: 'issue.sighted', issue: 'B-2', status: 'Done' }),
    frame({ type: 'issue.sighted', issue: 'B-1', status: 'Retro' }),
    frame({ type: 'comment', issue: 'B-1', text: 'B-1 moved to Done' }),
  ]);
  await expect(waitForStatus(stream, 'B-1', 'Done', NEVER)).rejects.toThrow(
    'The event stream ended before B-1 was Done.',
  );
});

test('waitForStatus stops reading when it is aborted', async () => {
  let isReleased = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    cancel: () => {
      isReleased = true;
    },
  });
  const interrupted = new AbortController();
  const waiting = waitForStatus(stream, 'B-1', 'Done', interrupted.signal);
  interrupted.abort(new Error('Interrupted by SIGINT.'));
  await expect(waiting).rejects.toThrow('Interrupted by SIGINT.');
  expect(isReleased).toBe(true);
});

function frame(event: object): string {
  return `id: 1\nevent: x\ndata: ${JSON.stringify(event)}\n\n`;
}

function streamOf(chunks: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}
