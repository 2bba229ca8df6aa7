/** Tests the dashboard's data over HTTP: schemas, errors and caching. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  attemptSchema,
  boardSchema,
  figuresSchema,
  type StoryEntry,
  spanSchema,
  storySchema,
} from '../../src/protocol/dashboard.ts';
import { diffSchema } from '../../src/protocol/repository.ts';
import { ask, codeOf, type Reply } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve();
  await legion.happen(5);
});
afterAll(() => legion.close());

/** Requests the path and fails the test if the response has a field outside the schema. */
async function given<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
  const { status, text } = await ask(door, `GET ${path}`);
  expect([path, status]).toEqual([path, 200]);
  const body: unknown = JSON.parse(text);
  const read = schema.parse(body);
  expect(read).toEqual(body);
  return read;
}

test('the response of every route matches its schema', async () => {
  const { id } = JSON.parse(
    (await ask(door, 'POST /issues', { body: { title: 'A door that squeaks' } })).text,
  );
  const board = await given('/board', boardSchema);
  expect(board).toMatchObject({ isPresent: true, version: legion.version });
  expect(await given('/board?version=2', boardSchema)).toMatchObject({ isPresent: false, version: 2 });
  expect(await given('/board?version=999999', boardSchema)).toMatchObject({ version: legion.version });
  expect(await given('/board?at=0', boardSchema)).toMatchObject({ version: 1 });
  expect(await given(`/board?at=${Date.now() + 1e6}.5`, boardSchema)).toMatchObject({
    version: legion.version,
  });
  const span = await given('/journal/span', spanSchema);
  expect(span.last.version).toBe(legion.version);
  const figures = await given('/figures?back=60000', figuresSchema);
  expect(figures.to - figures.from).toBe(60_000);
  // The issue is on the board, but the daemon has not read the board yet.
  expect(await given(`/issues/${id}/story`, storySchema)).toEqual({ entries: [], more: false });
  expect(await given(`/issues/${id}/attempts`, z.array(attemptSchema))).toEqual([]);
  expect(await given(`/issues/${id}/diff`, diffSchema)).toMatchObject({
    of: 'nothing',
    says: 'No pull request is known, and there is no workspace.',
  });
  for (const part of ['', '/explain', '/gates', '/ci', '/handoffs', '/story', '/attempts', '/diff']) {
    const there = await ask(door, `GET /issues/${id}${part}`);
    expect([part, there.status]).toEqual([part, 200]);
    const nowhere = await ask(door, `GET /issues/DEMO-999${part}`);
    expect([part, nowhere.status, codeOf(nowhere)]).toEqual([part, 404, 'tracker.issue_unknown']);
  }
});

test('the responses of an issue’s routes match their schemas', async () => {
  const entry: StoryEntry = {
    version: 1,
    at: 1,
    type: 'x',
    says: 'x',
    by: 'legion',
    evidence: [],
    routine: false,
  };
  const changed = { path: 'a', change: 'added', additions: 1, deletions: 0, patch: '', cut: false } as const;
  const asked: unknown[] = [];
  const served = await legion.serve({
    instead: ({ dashboard }) => ({
      dashboard: {
        ...dashboard,
        story: async (issue, query) => {
          asked.push([issue, query]);
          return { entries: [entry], more: false };
        },
        attempts: async () => [],
        diff: async () => ({
          of: 'workspace' as const,
          says: 's',
          base: '',
          head: '',
          truncated: false,
          files: [changed],
        }),
      },
    }),
  });
  const json = async (path: string) => JSON.parse((await ask(served, `GET ${path}`)).text) as unknown;
  expect(storySchema.parse(await json('/issues/demo-1/story?before=9&limit=3'))).toMatchObject({
    more: false,
  });
  await json('/issues/demo-1/story');
  expect(asked).toEqual([
    ['demo-1', { before: 9, limit: 3 }],
    ['demo-1', { limit: 200 }],
  ]);
  expect(z.array(attemptSchema).parse(await json('/issues/demo-1/attempts'))).toEqual([]);
  expect(diffSchema.parse(await json('/issues/demo-1/diff'))).toMatchObject({ of: 'workspace' });
  await served.close();
});

test('refuses an invalid query', async () => {
  for (const path of [
    '/board?version=',
    '/board?version=-1',
    '/board?version=1.5',
    '/board?version=0x10',
    '/board?version=1&version=2',
    '/board?version=1&at=5',
    '/board?at=yesterday',
    '/board?att=5',
    '/board?version=9999999999999999',
    '/journal/span?x=1',
    '/figures?back=59999',
    '/figures?back=7776000001',
    '/figures?back=1e6',
    '/issues/demo-1/story?limit=0',
    '/issues/demo-1/story?limit=501',
    '/issues/demo-1/story?before=x',
    '/issues/..%2Fx/story',
  ]) {
    const reply = await ask(door, `GET ${path}`);
    expect([path, reply.status, codeOf(reply)]).toEqual([path, 400, 'input.invalid']);
  }
});

test('answers 304 to a client that already has the board, until an event changes it', async () => {
  const first = await ask(door, 'GET /board');
  const etag = etagIn(first);
  expect(etag).toMatch(/^"[\w.-]+"$/);
  for (const kept of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await ask(door, 'GET /board', { headers: { 'if-none-match': kept } });
    expect([kept, again.status, again.text]).toEqual([kept, 304, '']);
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-store' });
    expect(again.headers['content-length']).toBeUndefined();
  }
  await legion.happen(1);
  const after = await ask(door, 'GET /board', { headers: { 'if-none-match': etag } });
  expect(after.status).toBe(200);
  expect(etagIn(after)).not.toBe(etag);
});

test('never changes a past board, so a client that already has it gets 304', async () => {
  const { headers, text } = await ask(door, 'GET /board?version=3');
  const { etag } = headers;
  await legion.happen(1);
  const kept = { headers: { 'if-none-match': String(etag) } };
  expect((await ask(door, 'GET /board?version=3', kept)).status).toBe(304);
  expect((await ask(door, 'GET /board?version=4', kept)).status).toBe(200);
  expect((await ask(door, 'GET /board?version=3')).text).toBe(text);
});

function etagIn({ headers: { etag } }: Reply): string {
  return String(etag);
}
