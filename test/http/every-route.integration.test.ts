/**
 * Tests a real daemon over HTTP: no route answers without a token or with a foreign Host header.
 */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestLegion, type RunningDaemon, type TestLegion } from '../support/running-daemon.ts';

let legion: TestLegion;
let running: RunningDaemon;
let routes: (readonly [method: string, path: string])[] = [];

beforeAll(async () => {
  legion = await createTestLegion();
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

test('the live route table has every route of the specification', () => {
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

test('every route answers 401 without a token or with a wrong one', async () => {
  const wrong = { authorization: `Bearer ${'A'.repeat(43)}` };
  for (const [method, path] of routes) {
    expect([method, path, await statusOf(method, path, {})]).toEqual([method, path, 401]);
    expect([method, path, await statusOf(method, path, wrong)]).toEqual([method, path, 401]);
  }
});

test('every route answers 403 to a foreign Host header, with or without a token', async () => {
  const host = { host: 'legion.example:13370' };
  const token = { authorization: `Bearer ${running.token}` };
  for (const [method, path] of routes) {
    expect([method, path, await statusOf(method, path, host)]).toEqual([method, path, 403]);
    expect([method, path, await statusOf(method, path, { ...host, ...token })]).toEqual([method, path, 403]);
  }
});
