/** A request that leaves before the command has loaded what it needs for the answer. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type DaemonClient, daemonClient } from '../../../src/cli/daemon-client.ts';

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
  client = daemonClient(state, new AbortController().signal);
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(state, { recursive: true });
});

test('loads the endpoint when the request has left, and checks the answer by it', async () => {
  const query = { finished: 'all', detail: undefined };
  let whenLoaded: string[] = [];
  const found = await client.callEarly({ path: '/status', query }, async () => {
    // The daemon has the request although nothing of the answer can be read yet.
    await expect.poll(() => asked).toEqual(['/status?finished=all']);
    whenLoaded = [...asked];
    return ENDPOINT;
  });
  expect(found).toEqual({ well: true });
  expect(whenLoaded).toHaveLength(1);
});

test('refuses an answer that the loaded endpoint does not know', async () => {
  answer = { well: 'perhaps' };
  await expect(client.callEarly({ path: '/status', query: {} }, async () => ENDPOINT)).rejects.toMatchObject({
    code: 'daemon.answer_unknown',
  });
});

test('reports a daemon that is gone instead of waiting for the endpoint', async () => {
  await new Promise((resolve) => server.close(resolve));
  await expect(client.callEarly({ path: '/status', query: {} }, async () => ENDPOINT)).rejects.toMatchObject({
    code: 'daemon.unreachable',
  });
  await new Promise<void>((resolve) => server.listen(join(state, 'daemon.sock'), resolve));
});
