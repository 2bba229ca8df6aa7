/**
 * Checks docs/http.md against the live routes. The page must list every live route with its
 * summary, and no others.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/core/model/fault.ts';
import { ROUTES } from '../../src/http/routes/table.ts';
import { type Legion, openLegion, type Served } from './served.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/http.md'), 'utf8');

let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve();
});
afterAll(() => legion.close());

test('the table lists every live route with its summary', () => {
  const written = DOCUMENT.split('\n')
    .map((line) => /^\| `([A-Z]+) (\/\S*)` +\| (.+?) +\|$/.exec(line))
    .filter((found) => found !== null)
    .map(([, method, path, summary]) => `${method} ${path}: ${summary}`);
  const live = door.routes().map(({ method, path }) => {
    const route = ROUTES.find(({ endpoint }) => endpoint.path === path && endpoint.method === method);
    return `${method} ${path}: ${route?.endpoint.summary}`;
  });
  expect(written).toEqual(live);
});

test('every error code mentioned on the page is in the catalogue', () => {
  const named = [
    ...DOCUMENT.matchAll(/`((?:http|input|daemon|worker|webhook|state)\.(?!json)[a-z_]+)`/g),
  ].map(([, code]) => code);
  expect(named.length).toBeGreaterThan(8);
  for (const code of named) expect(Object.keys(CATALOGUE)).toContain(code);
});
