/** Tests that the server starts, and closes in bounded time. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../src/core/model/fault.ts';
import { asleepFor, VirtualClock } from '../support/virtual-clock.ts';
import { ask } from './ask.ts';
import { type Legion, openLegion, type Served, type Serving } from './served.ts';

const CLOSE_MS = 1_000;

let legion: Legion;
beforeAll(async () => {
  legion = await openLegion();
});
afterAll(() => legion.close());

const open: Served[] = [];
afterEach(async () => {
  for (const door of open.splice(0)) await door.close();
});

async function served(serving?: Serving): Promise<Served> {
  const door = await legion.serve(serving);
  open.push(door);
  return door;
}

test('listens only on this machine, at the address that it reports', async () => {
  const door = await served();
  expect(door.url).toBe(`http://127.0.0.1:${door.port}`);
  expect((await ask(door, 'GET /health')).status).toBe(200);
  const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outward = others.find(({ internal, family }) => !internal && family === 'IPv4');
  if (outward === undefined) return; // a machine without a network has no address to try
  const socket = connect({ port: door.port, host: outward.address });
  const [error] = await once(socket, 'error');
  expect(error.code).toBe('ECONNREFUSED');
});

test('if the port is in use, reports an error code and the port number', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const failed = await legion.serve({ port }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(LegionError);
  expect(failed).toMatchObject({
    code: 'http.port_taken',
    message: expect.stringMatching(
      new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is already in use by pid ${process.pid} \\(.+\\)\\.$`),
    ),
  });
  other.close();
  await once(other, 'close');
});

test('reports an invalid port with an error code', async () => {
  await expect(legion.serve({ port: 70_000 })).rejects.toMatchObject({ code: 'http.port_unusable' });
});

test('closes without waiting for an idle connection', async () => {
  // The clock does not advance, so a close that waited for a timeout would never end.
  const door = await served({ clock: new VirtualClock() });
  const socket = await connected(door);
  socket.write(
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${door.token}\r\n\r\n`,
  );
  await once(socket, 'data');
  await closing(door, socket);
});

test('before it closes, answers a pending request', async () => {
  let answer: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const door = await served({
    clock: new VirtualClock(),
    instead: () => ({
      metrics: async () => {
        answer?.();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return 'answered\n';
      },
    }),
  });
  const reply = ask(door, 'GET /metrics');
  await asked;
  await door.close();
  expect((await reply).text).toBe('answered\n');
  open.splice(0);
});

test('when it closes, waits at most a second for an unfinished request', async () => {
  const clock = new VirtualClock();
  const door = await served({ clock });
  const socket = await connected(door);
  socket.write('GET /health HTTP/1.1\r\n');
  await ask(door, 'GET /health');
  let closed = false;
  const end = closing(door, socket).then(() => {
    closed = true;
  });
  await asleepFor(clock, CLOSE_MS);
  await clock.advance(CLOSE_MS - 1);
  expect(closed).toBe(false);
  await clock.advance(1);
  await end;
});

async function connected({ port }: Served) {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the server is closed and the client has noticed the close. */
async function closing(door: Served, socket: Awaited<ReturnType<typeof connected>>): Promise<void> {
  const ended = once(socket.resume(), 'close');
  await door.close();
  await ended;
  open.splice(0);
}
