import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type BoundedFetchOptions, FetchError, openBoundedFetch } from '../../src/lib/bounded-fetch.ts';

const MEGABYTE = 1024 * 1024;

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closing = new AbortController();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    closing,
    open: (options: Partial<BoundedFetchOptions> = {}) =>
      openBoundedFetch({ maxBytes: MEGABYTE, timeoutMs: 10_000, closing: closing.signal, ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function failureOf(sent: Promise<Response>): Promise<FetchError> {
  const error = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof FetchError) return error;
  throw new Error(`expected a FetchError, not ${String(error)}`);
}

test.each([200, 204, 304, 404, 500])('resolves to a complete response of status %i', async (status) => {
  await using server = await serve((_, response) =>
    response.writeHead(status, { 'x-mark': 'kept' }).end(status === 200 ? 'body' : undefined),
  );
  const response = await server.open().send(server.url, {});
  expect(response.status).toBe(status);
  expect(response.headers.get('x-mark')).toBe('kept');
  expect(await response.text()).toBe(status === 200 ? 'body' : '');
});

test('rejects a response above the size limit and accepts one of exactly that size', async () => {
  await using server = await serve((request, response) => {
    const size = Number(request.url?.slice(1));
    Readable.from([Buffer.alloc(size / 2), Buffer.alloc(size / 2)]).pipe(response);
  });
  const bounded = server.open();
  const allowed = await bounded.send(`${server.url}${MEGABYTE}`, {});
  expect((await allowed.arrayBuffer()).byteLength).toBe(MEGABYTE);
  expect(await failureOf(bounded.send(`${server.url}${MEGABYTE + 2}`, {}))).toMatchObject({
    kind: 'too_large',
    message: `sent a response that is larger than ${MEGABYTE} bytes`,
  });
});

test('decompresses a response and limits its decompressed size', async () => {
  await using server = await serve((request, response) => {
    const text = request.url === '/small' ? 'small' : 'x'.repeat(50 * MEGABYTE);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
  });
  const bounded = server.open();
  expect(await (await bounded.send(`${server.url}small`, {})).text()).toBe('small');
  expect((await failureOf(bounded.send(`${server.url}bomb`, {}))).kind).toBe('too_large');
});

test('rejects if the response does not begin in time, or does not end in time', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('half');
  });
  const bounded = server.open({ timeoutMs: 50 });
  for (const path of ['', 'begun'])
    expect(await failureOf(bounded.send(server.url + path, {}))).toMatchObject({
      kind: 'timeout',
      message: 'did not respond within 50 ms',
    });
});

test('reports the reason if the network fails', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '9' }).write('half', () => response.destroy());
    else request.socket.destroy();
  });
  const bounded = server.open();
  expect(await failureOf(bounded.send('http://127.0.0.1:1/', {}))).toMatchObject({
    kind: 'network',
    message: expect.stringMatching(/^could not be reached: .*\w/),
  });
  for (const path of ['', 'cut'])
    expect((await failureOf(bounded.send(server.url + path, {}))).kind).toBe('network');
});

test("rejects with the signal's reason when aborted, and sends no request after that", async () => {
  let requests = 0;
  const ending = new AbortController();
  const reason = new Error('enough');
  await using server = await serve(() => {
    requests += 1;
    ending.abort(reason);
  });
  const bounded = server.open();
  const { signal } = ending;
  await expect(bounded.send(server.url, { signal })).rejects.toBe(reason);
  await expect(bounded.send(server.url, { signal })).rejects.toBe(reason);
  expect(requests).toBe(1);
});

test('becomes idle after an abort has ended all requests in flight', async () => {
  const arrival = Promise.withResolvers<void>();
  await using server = await serve(() => arrival.resolve());
  const bounded = server.open();
  const reason = new Error('closed');
  const sent = bounded.send(server.url, {}).catch((error: unknown) => error);
  await arrival.promise;
  server.closing.abort(reason);
  await bounded.idle();
  expect(await sent).toBe(reason);
});
