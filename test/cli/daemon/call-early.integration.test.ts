/** Tests a request that the command sends before it has loaded the code that decodes the response. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createDaemonClient, type DaemonClient } from '../../../src/cli/daemon-client.ts';

const ENDPOINT = {
  method: 'GET',
  path: '/status',
  summary: 'how it is',
  response: z.object({ well: z.boolean() }),
} as const;

let state: string;
let server: Server;
let client: DaemonClient;
let asked: string[];
let answer: unknown;

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), 'legion-early-'));
  chmodSync(state, 0o700);
  asked = [];
  answer = { well: true };
  const socket = join(state, 'daemon.sock');
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  chmodSync(socket, 0o600);
  const file = {
    legion: 'x',
    url: 'http://127.0.0.1:1',
    socket,
    pid: process.pid,
    startedAt: 1,
    version: '0',
  };
  writeFileSync(join(state, 'daemon.json'), JSON.stringify(file));
  writeFileSync(join(state, 'token'), 'token\n');
  client = createDaemonClient(state, new AbortController().signal);
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(state, { recursive: true });
});

test("loads the endpoint's code after sending the request, and uses it to validate the response", async () => {
  const query = { finished: 'all', detail: undefined };
  let whenLoaded: string[] = [];
  const found = await client.callEarly({ path: '/status', query }, async () => {
    // The daemon has received the request although its response cannot be decoded yet.
    await expect.poll(() => asked).toEqual(['/status?finished=all']);
    whenLoaded = [...asked];
    return ENDPOINT;
  });
  expect(found).toEqual({ well: true });
  expect(whenLoaded).toHaveLength(1);
});

test('rejects a response that does not match the endpoint’s schema', async () => {
  answer = { well: 'perhaps' };
  await expect(client.callEarly({ path: '/status', query: {} }, async () => ENDPOINT)).rejects.toMatchObject({
    code: 'daemon.answer_unknown',
  });
});

test("reports a stopped daemon without waiting for the endpoint's code", async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(client.callEarly({ path: '/status', query: {} }, async () => ENDPOINT)).rejects.toMatchObject({
    code: 'daemon.unreachable',
  });
  await new Promise<void>((resolve) => server.listen(join(state, 'daemon.sock'), resolve));
});
