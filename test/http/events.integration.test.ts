/**
 * Tests the event stream: it has no gaps or repetitions, and buffers nothing for clients that do
 * not read.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import { asleepFor, VirtualClock } from '../support/virtual-clock.ts';
import { ask, codeOf } from './ask.ts';
import { type Listener, listen } from './listener.ts';
import { type Legion, openLegion, type Served, type Serving } from './served.ts';

const HEARTBEAT_MS = 15_000;
const STALLED_MS = 60_000;
const MOST_STREAMS = 32;

let legion: Legion;
beforeAll(async () => {
  legion = await openLegion();
});
afterAll(() => legion.close());

const open: (Served | Listener)[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await ('leave' in each ? each.leave() : each.close());
});

async function served(serving?: Serving): Promise<Served> {
  const door = await legion.serve(serving);
  open.push(door);
  return door;
}

async function listening(...args: Parameters<typeof listen>): Promise<Listener> {
  const listener = await listen(...args);
  open.push(listener);
  return listener;
}

test('sends a frame with the number, the type and the whole event', async () => {
  const door = await served();
  const before = legion.version;
  const [event] = await legion.happen(1, 'two\nlines');
  const stream = await listening(door, `/events?after=${before}`);
  expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(await stream.until(1)).toEqual([{ id: before + 1, event: 'message.queued', data: event }]);
  expect(event).toMatchObject({ seq: before + 1, epoch: 1, to: 'somebody', body: 'two\nlines' });
});

test('starts at the current end by default', async () => {
  const door = await served();
  await legion.happen(3);
  const stream = await listening(door, '/events');
  await stream.untilFrame('retry: 1000');
  const news = await legion.happen(2);
  expect(numbers(await stream.until(2))).toEqual(seqs(news));
});

test('replays missed events, then continues with new ones, without a gap between them', async () => {
  const door = await served();
  const missed = await legion.happen(1_200);
  const stream = await listening(door, `/events?after=${missed[199]?.seq}`);
  const expected = missed.slice(200);
  for (let round = 0; round < 50; round += 1) expected.push(...(await legion.happen(2)));
  expect(numbers(await stream.until(1_100))).toEqual(seqs(expected));
});

test('if a reconnecting browser sends an event number, uses that number instead of the one in the URL', async () => {
  const door = await served();
  const five = await legion.happen(5);
  const stream = await listening(door, '/events?after=0', { 'last-event-id': `${five[2]?.seq}` });
  expect(numbers(await stream.until(2))).toEqual(seqs(five.slice(3)));
});

test('refuses an event number that is invalid or does not exist yet', async () => {
  const door = await served();
  const newest = legion.version;
  for (const last of ['x', '-1', '1.5', '9'.repeat(16), `${newest + 1}`]) {
    const reply = await ask(door, 'GET /events', { headers: { 'last-event-id': last } });
    expect([reply.status, codeOf(reply)], last).toEqual([400, 'input.invalid']);
  }
  const { text } = await ask(door, `GET /events?after=${newest + 1}`);
  expect(text).toContain(`event ${newest + 1} does not exist yet; the newest is ${newest}`);
});

test('sends a heartbeat only after 15 s without an event', async () => {
  const clock = new VirtualClock();
  const door = await served({ clock });
  const stream = await listening(door, '/events');
  await asleepFor(clock, HEARTBEAT_MS);
  await clock.advance(HEARTBEAT_MS - 1);
  await legion.happen(1);
  await stream.until(1);
  await asleepFor(clock, HEARTBEAT_MS);
  await clock.advance(HEARTBEAT_MS - 1);
  expect(stream.frames.filter((frame) => frame.startsWith(':'))).toEqual([]);
  await clock.advance(1);
  await stream.untilFrame(': still here');
  await asleepFor(clock, HEARTBEAT_MS);
});

test('limits the number of open streams, and accepts another once one disconnects', async () => {
  const door = await served();
  const streams: Listener[] = [];
  for (let each = 0; each < MOST_STREAMS; each += 1) streams.push(await listening(door, '/events'));
  const reply = await ask(door, 'GET /events');
  expect([reply.status, codeOf(reply)]).toEqual([503, 'http.too_many_streams']);
  expect((await ask(door, 'HEAD /events')).status).toBe(200);
  streams[0]?.leave();
  // The daemon notices the disconnect a moment later.
  let next = await listening(door, '/events');
  while (next.status === 503) next = await listening(door, '/events');
  expect(next.status).toBe(200);
});

test('buffers nothing for a reader that pauses; later, the reader gets all missed events from the journal', async () => {
  const events = 1_200;
  let handedOut = 0;
  const door = await served({
    instead: ({ events: desk }) => ({
      events: {
        get version() {
          return desk.version;
        },
        subscribe: (listener) => desk.subscribe(listener),
        async *read(after) {
          for await (const batch of desk.read(after)) {
            handedOut += batch.length;
            yield batch;
          }
        },
      },
    }),
  });
  const stream = await listening(door, '/events');
  stream.response.pause();
  const text = 'x'.repeat(10_000);
  const happened: Event[] = [];
  for (let round = 0; round < 20; round += 1) happened.push(...(await legion.happen(events / 20, text)));
  await ask(door, 'GET /health');
  const stalled = handedOut;
  // Of the 12 megabytes, the sockets buffer a few and one batch contains 4. The rest has not been
  // read from the journal yet.
  expect(stalled).toBeLessThan(events * 0.75);
  happened.push(...(await legion.happen(1)));
  expect(handedOut).toBe(stalled);
  stream.response.resume();
  expect(numbers(await stream.until(events + 1))).toEqual(seqs(happened));
});

test('disconnects a reader that reads nothing for a minute', async () => {
  const clock = new VirtualClock();
  const door = await served({ clock });
  const stream = await listening(door, '/events');
  stream.response.pause();
  await asleepFor(clock, HEARTBEAT_MS);
  await legion.happen(1_000, 'x'.repeat(10_000));
  await asleepFor(clock, STALLED_MS);
  await clock.advance(STALLED_MS);
  stream.response.resume();
  await stream.ended;
  expect(stream.response.complete).toBe(false);
});

test('ends the stream if the journal cannot be read, and reports the error internally', async () => {
  const trouble = new Error('the disk is gone');
  const door = await served({
    instead: ({ events }) => ({
      events: {
        version: events.version,
        subscribe: (listener) => events.subscribe(listener),
        // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
        async *read() {
          throw trouble;
        },
      },
    }),
  });
  const stream = await listening(door, '/events?after=0');
  await stream.ended;
  expect(door.defects).toEqual([trouble]);
});

test('ends every stream immediately when the server closes', async () => {
  // The clock does not advance, so a close that waited for a timeout would never end.
  const door = await served({ clock: new VirtualClock() });
  const streams = await Promise.all([listening(door, '/events'), listening(door, '/events')]);
  await Promise.all(streams.map((stream) => stream.untilFrame('retry: 1000')));
  await door.close();
  await Promise.all(streams.map(({ ended }) => ended));
  expect(streams.every(({ response }) => response.complete)).toBe(true);
  open.splice(0);
});

function numbers(heard: readonly { readonly id: number }[]): number[] {
  return heard.map(({ id }) => id);
}

function seqs(events: readonly Event[]): number[] {
  return events.map(({ seq }) => seq);
}
