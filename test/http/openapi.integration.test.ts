/** Tests that the OpenAPI document describes the live routes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editIssueRequest, newIssueRequest } from '../../src/protocol/board.ts';
import { ask } from './ask.ts';
import { type Legion, openLegion, type Served } from './served.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: unknown;
  readonly parameters?: readonly { name: string; in: string; required: boolean }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  readonly responses: Readonly<Record<string, { description: string; content?: Record<string, unknown> }>>;
}
interface Schema {
  readonly properties: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly security: unknown;
  readonly components: { securitySchemes: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

let legion: Legion;
let door: Served;
let document: Document;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve();
  document = JSON.parse((await ask(door, 'GET /openapi.json')).text);
});
afterAll(() => legion.close());

test('the document has every live route and no other route', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const live = door.routes().map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(live.length).toBeGreaterThan(40);
  expect(described.toSorted()).toEqual(live.toSorted());
});

test('every operation documents its 4xx responses, and the document names the daemon’s address', () => {
  expect(document).toMatchObject({ servers: [{ url: `http://127.0.0.1:${door.port}` }] });
  for (const [path, methods] of Object.entries(document.paths))
    for (const { responses } of Object.values(methods))
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['4XX', 'default'])]);
  expect(Object.keys(operation('post', '/workers').responses)).toEqual(
    expect.arrayContaining(['409', '422', '429', '503']),
  );
});

test('the document is OpenAPI 3.1 with the daemon’s version, and requires the token or a session by default', async () => {
  const { version } = JSON.parse((await ask(door, 'GET /health')).text);
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Legion', version },
    security: [{ token: [] }, { cookie: [], key: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: `legion-${door.port}` },
        key: { type: 'apiKey', in: 'header', name: 'x-legion-key' },
      },
    },
  });
});

test('marks the routes that use other authentication', () => {
  const otherwise = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security === undefined ? [] : [[`${method} ${path}`, security]],
    ),
  );
  expect(Object.fromEntries(otherwise)).toEqual({
    'post /session/codes': [{ token: [] }],
    'post /worker/{verb}': [{ token: [] }],
    'post /session': [],
    'post /webhooks/{service}': [],
  });
});

test('gives every operation a unique name, its path parameters, its response and the error schema', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, operationId, summary, parameters = [], responses } of operations) {
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(summary, operationId).toMatch(/^\S.{5,}/);
    const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
    expect(inPath, operationId).toEqual([...path.matchAll(/{(\w+)}/g)].map(([, name]) => name));
    expect(Object.keys(responses)[0], operationId).toMatch(/^20[0124]$/);
    const { default: refused } = responses;
    expect(JSON.stringify(refused), operationId).toContain('"next"');
  }
});

test('describes request bodies with the schemas that validate them', () => {
  const add = bodyOf('post', '/issues');
  expect(add).toMatchObject({
    required: true,
    schema: {
      required: ['title'],
      additionalProperties: false,
      properties: { priority: { enum: [0, 1, 2, 3, 4], default: 0 }, labels: { type: 'array', default: [] } },
    },
  });
  expect(Object.keys(add.schema.properties)).toEqual(Object.keys(newIssueRequest.shape));
  expect(Object.keys(bodyOf('patch', '/issues/{id}').schema.properties)).toEqual(
    Object.keys(editIssueRequest.shape),
  );
  expect(bodyOf('post', '/pause').required).toBe(false);
});

test('describes nullable values as nullable and query parameters as text', () => {
  const detail = JSON.stringify(operation('get', '/issues/{id}').responses['200']);
  expect(detail).toMatch(/"pullRequest":{"anyOf":\[{"type":"object".*},{"type":"null"}\]}/);
  const { parameters = [] } = operation('get', '/workers/{id}/logs');
  expect(parameters.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
    ['attempt', false],
    ['offset', false],
    ['last', false],
    ['stream', false],
  ]);
});

test('matches the recorded document byte for byte', async () => {
  const { text } = await ask(door, 'GET /openapi.json');
  expect(text).toBe(JSON.stringify(JSON.parse(text)));
  // The address and the cookie contain the port, which differs in every run.
  const recorded = text
    .replace(`legion-${door.port}`, 'legion-PORT')
    .replace(`127.0.0.1:${door.port}`, '127.0.0.1:PORT');
  await expect(`${JSON.stringify(JSON.parse(recorded), null, 2)}\n`).toMatchFileSnapshot(
    '__snapshots__/openapi.json',
  );
});

test('no schema has a dangling reference', () => {
  expect(JSON.stringify(document)).not.toContain('$ref');
});

function operation(method: string, path: string): Operation {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
}

function bodyOf(method: string, path: string) {
  const { required, content } = operation(method, path).requestBody ?? {};
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`${method} ${path} takes no JSON`);
  return { required, schema };
}
