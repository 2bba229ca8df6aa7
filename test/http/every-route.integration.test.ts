/** The real daemon behind its door: no route of it answers without a token, or under a name that is not its own. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, type TestLegion, testLegion } from '../support/running-daemon.ts';

let legion: TestLegion;
let running: Running;
let routes: (readonly [method: string, path: string])[] = [];

beforeAll(async () => {
  legion = await testLegion();
  running = await legion.start();
  const { paths } = await running.get<{ paths: Record<string, Record<string, unknown>> }>('/openapi.json');
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x')] as const),
  );
});

afterAll(async () => {
  await running.stop();
  legion.dispose();
});

function statusOf(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${running.url}${path}`, { method, headers, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end();
  });
}

test('the live table has every route of the specification', () => {
  const shown = routes.map(([method, path]) => `${method} ${path}`);
  expect(shown).toEqual(
    expect.arrayContaining([
      'GET /health',
      'GET /workers',
      'POST /workers',
      'GET /workers/x',
      'PATCH /workers/x',
      'DELETE /workers/x',
      'GET /workers/x/status',
      'POST /workers/x/prompt',
      'GET /workers/x/env',
      'DELETE /workers/x/workspace',
      'DELETE /workers/x/crashes',
      'POST /workers/prune',
      'POST /state/collect',
      'POST /state/fetch-and-collect',
      'POST /state/advance',
      'GET /state/materialized',
      'POST /shutdown',
      'POST /restart',
    ]),
  );
});

test('without a token, or with a wrong one, every route answers 401', async () => {
  const wrong = { authorization: `Bearer ${'A'.repeat(43)}` };
  for (const [method, path] of routes) {
    expect([method, path, await statusOf(method, path, {})]).toEqual([method, path, 401]);
    expect([method, path, await statusOf(method, path, wrong)]).toEqual([method, path, 401]);
  }
});

test('under a foreign name every route answers 403, token or not', async () => {
  const host = { host: 'legion.example:13370' };
  const token = { authorization: `Bearer ${running.token}` };
  for (const [method, path] of routes) {
    expect([method, path, await statusOf(method, path, host)]).toEqual([method, path, 403]);
    expect([method, path, await statusOf(method, path, { ...host, ...token })]).toEqual([method, path, 403]);
  }
});
