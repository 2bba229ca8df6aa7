/**
 * Tests that large responses are compressed for clients that accept it, and that small responses
 * and streams are not.
 */
import { type IncomingHttpHeaders, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DashboardCard } from '../../src/protocol/dashboard.ts';
import { ask } from './ask.ts';
import { listen } from './listener.ts';
import { type Legion, openLegion, type Served } from './served.ts';

const ISSUES = 3_000;
/** Maximum compressed size of a board with that many issues. */
const MAX_BOARD_BYTES = 60_000;
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve({
    instead: ({ dashboard }) => ({
      dashboard: {
        ...dashboard,
        board: async (query) => ({ ...(await dashboard.board(query)), cards: manyCards() }),
      },
    }),
  });
});
afterAll(() => legion.close());

test('sends the board of 3,000 issues to a browser in at most 60 kB', async () => {
  const { headers, bytes } = await fetchBytes('/board', BROWSER);
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(headers['content-length']).toBeUndefined();
  expect(bytes.length).toBeLessThanOrEqual(MAX_BOARD_BYTES);
  const plain = gunzipSync(bytes).toString();
  expect(plain.length).toBeGreaterThan(1_000_000);
  expect(JSON.parse(plain).cards).toEqual(manyCards());
});

test('answers 304 if the client already has the current version of a compressed board', async () => {
  const { headers } = await fetchBytes('/board', BROWSER);
  const again = { ...BROWSER, 'if-none-match': headers.etag ?? '' };
  const { status, bytes } = await fetchBytes('/board', again);
  expect([status, bytes.length]).toEqual([304, 0]);
});

test('sends the plain board to a client that does not accept compression', async () => {
  for (const accepted of ['identity', 'gzip;q=0', 'br']) {
    const { headers, bytes } = await fetchBytes('/board', { 'accept-encoding': accepted });
    expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined]);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(JSON.parse(bytes.toString()).cards).toHaveLength(ISSUES);
  }
});

test('compresses neither a small response nor an error nor a stream', async () => {
  for (const path of ['/health', '/nowhere']) {
    const { headers, bytes } = await fetchBytes(path, BROWSER);
    expect([path, headers['content-encoding']]).toEqual([path, undefined]);
    expect(Number(headers['content-length'])).toBe(bytes.length);
  }
  const stream = await listen(door, '/events', BROWSER);
  expect(stream.response.headers['content-encoding']).toBeUndefined();
  await stream.untilFrame('retry: 1000');
  stream.leave();
});

test('answers HEAD with the length of the plain response', async () => {
  const head = await ask(door, 'HEAD /health', { headers: BROWSER });
  const { bytes } = await fetchBytes('/health', BROWSER);
  expect(Number(head.headers['content-length'])).toBe(bytes.length);
});

/** Titles, times and states vary as on a real board. Identical ones would compress too well. */
function manyCards(): DashboardCard[] {
  const words = 'cache queue retry token board merge index socket panel search worker report'.split(' ');
  const word = (seed: number) => words[(seed * 7_919) % words.length] ?? '';
  return Array.from({ length: ISSUES }, (_, index) => ({
    id: `DEMO-${index + 1}`,
    title: `${word(index)} ${word(index >> 2)} fails after the ${word(index >> 4)}`,
    status: index % 3 === 0 ? 'Done' : 'Todo',
    column: index % 3 === 0 ? 'Done' : 'Todo',
    labels: index % 5 === 0 ? ['bug', word(index)] : [],
    priority: 0,
    since: 1_790_000_000_000 + ((index * 15_485_863) % 2_592_000_000),
    blockedBy: index % 11 === 0 ? [`DEMO-${(index % 97) + 1}`] : [],
    worker: null,
    waits: {
      says: `${word(index)} waits for a free worker; ${index % 40} issues are before it.`,
      by: 'legion',
      what: 'a free worker of this legion, or a higher limit in its configuration',
    },
    needsYou: false,
    pullRequest: null,
    spentUsd: 0,
  }));
}

function fetchBytes(path: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const authorization = `Bearer ${door.token}`;
    const options = { host: '127.0.0.1', port: door.port, path, agent: false };
    const sent = request({ ...options, headers: { authorization, ...headers } }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
    });
    sent.on('error', reject).end();
  });
}
