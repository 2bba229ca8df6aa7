/**
 * Tests that server-sent events arrive complete, however the network splits the stream into chunks.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEventStream } from '../../src/lib/event-stream.ts';
import { assertAsyncProperty } from '../support/property.ts';

async function readAll(chunks: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const batch of readEventStream(toStream(chunks))) events.push(...batch);
  return events;
}

async function* toStream(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

function cutAt(text: string, positions: readonly number[]): string[] {
  const cuts = [0, ...positions.map((position) => position % (text.length + 1)), text.length];
  cuts.sort((one, other) => one - other);
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
}

test('a chunk boundary inside CRLF does not split an event', async () => {
  expect(await readAll(['data: a\r', '\ndata: b\r\n\r', '\n'])).toEqual(['a\nb']);
});

test('data lines are joined with a line break, and each loses at most one leading space', async () => {
  expect(await readAll(['data:  a\ndata:b\n\n'])).toEqual([' a\nb']);
});

test('a keep-alive comment yields an empty batch', async () => {
  const batches: (readonly string[])[] = [];
  for await (const batch of readEventStream(toStream([': alive\n\n', 'data: 1\n\n']))) batches.push(batch);
  expect(batches).toEqual([[], ['1']]);
});

test('an event that has not ended is rejected once it exceeds the size limit', async () => {
  const endless = Array.from({ length: 5 }, () => 'x'.repeat(1_024 * 1_024));
  await expect(readAll(['data: ', ...endless])).rejects.toThrow(RangeError);
});

test('the events are the same however the stream is split', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ':', ' ', 'ü', '😀'), minLength: 1 });
  const lines = fc.array(line, { minLength: 1 });
  await assertAsyncProperty(
    fc.asyncProperty(
      fc.array(lines, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat()),
      async (events, end, positions) => {
        const text = events
          .map((event) => event.map((line) => `data: ${line}${end}`).join('') + end)
          .join('');
        expect(await readAll(cutAt(text, positions))).toEqual(events.map((event) => event.join('\n')));
      },
    ),
  );
});
