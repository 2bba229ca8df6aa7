/** Tests that Linear's responses can be posted, unchanged, to a daemon that uses the Linear tracker. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { openServices } from '../../src/daemon/services/open-services.ts';
import { createWorkerApi } from '../../src/daemon/worker-api/worker-api.ts';
import { type HttpServerHandle, serveHttp } from '../../src/http/serve.ts';
import { parsePostedIssues } from '../../src/integrations/linear/tracker/posted-issues.ts';
import { MAX_POSTED_BYTES } from '../../src/protocol/board-state.ts';
import { type DeskLegion, deskLegion } from '../daemon/services/legion.ts';
import { overridePort } from '../support/override-port.ts';
import { ask, codeOf } from './ask.ts';

const token = 'A'.repeat(43);
let legion: DeskLegion;
let door: HttpServerHandle & { readonly token: string };
beforeAll(async () => {
  legion = await deskLegion();
  const { tracker } = legion.world;
  const world = {
    ...legion.world,
    tracker: overridePort(tracker, { kind: 'linear', posted: (data) => parsePostedIssues(data, {}) }),
  };
  const sessionsFile = join(world.folders.state, 'sessions.json');
  const daemon: Daemon = {
    legion: 'demo',
    ...openServices(world, legion.control, { version: '1.2.3', pid: 4711, startedAt: 5 }),
    workerApi: createWorkerApi(world),
    shutdown: () => undefined,
  };
  const { socket } = world.folders;
  door = {
    ...(await serveHttp(daemon, { port: 0, socket, token, clock: world.clock, sessionsFile })),
    token,
  };
});
afterAll(async () => {
  await door.close();
  await legion.close();
});

const API = {
  id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
  identifier: 'ENG-21',
  title: 'A door',
  state: { name: 'Todo', type: 'unstarted' },
  labels: { nodes: [{ name: 'bug' }] },
};
const MCP = {
  id: 'ENG-21',
  title: 'A door',
  status: 'Todo',
  labels: ['bug'],
  priority: { value: 2, name: 'High' },
};

test.each<[string, unknown]>([
  ['a list', [API]],
  ['Legion’s own form', { backend: 'linear', issues: [API] }],
  ['issues under `nodes`', { issues: { nodes: [API] } }],
  ['a GraphQL response', { data: { team: { issues: { nodes: [API] } } } }],
  ['a list from the MCP server', { issues: [MCP], hasNextPage: false }],
  [
    'a tool result from the MCP server',
    { content: [{ type: 'text', text: JSON.stringify({ issues: [MCP] }) }] },
  ],
])('`/state/collect` accepts %s', async (_, body) => {
  const reply = await ask(door, 'POST /state/collect', { body });
  expect(reply.status).toBe(200);
  const { issues, rejected } = JSON.parse(reply.text);
  expect(issues).toMatchObject({
    'ENG-21': { status: 'Todo', labels: ['bug'], suggestedAction: 'dispatch_planner' },
  });
  expect(rejected).toEqual([]);
});

test('`/state/collect` rejects a malformed issue with its location, and still returns a result for the valid issues', async () => {
  const bad = { ...API, identifier: 'ENG-22', state: { name: 5 } };
  const reply = await ask(door, 'POST /state/collect', { body: { issues: [API, bad, null] } });
  expect(reply.status).toBe(200);
  const { issues, rejected } = JSON.parse(reply.text);
  expect(Object.keys(issues)).toEqual(['ENG-21']);
  expect(rejected).toEqual([
    { path: 'issues[1]', id: 'ENG-22', message: 'issues[1].state.name: expected string, got number 5' },
    { path: 'issues[2]', message: 'issues[2]: expected object, got null' },
  ]);
});

test.each<[string, unknown, string]>([
  [
    'a label with an invalid name',
    { issues: [{ ...API, labels: { nodes: [{ name: 5 }] } }] },
    'issues[0].labels.nodes[0].name: expected string, got number 5',
  ],
  ['no issues', {}, 'body: contains no issues. '],
  ['a number', 5, 'body: matches none of the allowed forms, got number 5'],
  ['too many issues', new Array(10_001).fill(0), 'body: must be of length at most 10000'],
])(
  '`/state/collect` refuses an unusable body, and the error gives the location: %s',
  async (_, body, message) => {
    const reply = await ask(door, 'POST /state/collect', { body });
    expect([reply.status, codeOf(reply)]).toEqual([400, 'input.invalid']);
    expect(JSON.parse(reply.text).error.message).toContain(message);
  },
);

test('`/state/collect` refuses the issues of another service', async () => {
  const reply = await ask(door, 'POST /state/collect', { body: { backend: 'github', issues: [] } });
  expect(codeOf(reply)).toBe('state.not_accepted');
});

test('`/state/collect` accepts a page with long texts, and refuses one above the size limit', async () => {
  const description = 'x'.repeat(30_000);
  const issues = Array.from({ length: 250 }, (_, index) => ({ ...MCP, id: `ENG-${index + 1}`, description }));
  const reply = await ask(door, 'POST /state/collect', { body: { issues } });
  expect([reply.status, Object.keys(JSON.parse(reply.text).issues).length]).toEqual([200, 250]);
  const large = await ask(door, 'POST /state/collect', { body: Buffer.alloc(MAX_POSTED_BYTES + 1, ' ') });
  expect([large.status, codeOf(large)]).toEqual([413, 'http.body_too_large']);
});
