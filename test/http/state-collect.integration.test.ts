/** Answers of Linear, posted as they are to a daemon whose tracker reads them. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { openDesks } from '../../src/daemon/desks/open-desks.ts';
import { openSpeech } from '../../src/daemon/speech/speech.ts';
import { type HttpDoor, serveHttp } from '../../src/http/serve.ts';
import { POSTED_MOST_BYTES } from '../../src/protocol/board-state.ts';
import { postedIssues } from '../../src/trackers/linear/posted/posted-issues.ts';
import { type DeskLegion, deskLegion } from '../daemon/services/legion.ts';
import { ask, codeOf } from './ask.ts';

const token = 'A'.repeat(43);
let legion: DeskLegion;
let door: HttpDoor & { readonly token: string };
beforeAll(async () => {
  legion = await deskLegion();
  const { tracker } = legion.world;
  const world = {
    ...legion.world,
    tracker: { ...tracker, kind: 'linear', posted: (data: unknown) => postedIssues(data, {}) } as const,
  };
  const sessionsFile = join(world.folders.state, 'sessions.json');
  const daemon: Daemon = {
    legion: 'demo',
    ...openDesks(world, legion.control, { version: '1.2.3', pid: 4711, startedAt: 5 }),
    ...{ speech: openSpeech(world), shutdown: () => undefined },
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
  ...{ id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', identifier: 'ENG-21', title: 'A door' },
  ...{ state: { name: 'Todo', type: 'unstarted' }, labels: { nodes: [{ name: 'bug' }] } },
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
  ['our own form', { backend: 'linear', issues: [API] }],
  ['nodes', { issues: { nodes: [API] } }],
  ['an answer of GraphQL', { data: { team: { issues: { nodes: [API] } } } }],
  ['what the MCP server lists', { issues: [MCP], hasNextPage: false }],
  ['the result of its tool', { content: [{ type: 'text', text: JSON.stringify({ issues: [MCP] }) }] }],
])('%s is understood', async (_, body) => {
  const reply = await ask(door, 'POST /state/collect', { body });
  expect(reply.status).toBe(200);
  const { issues, rejected } = JSON.parse(reply.text);
  expect(issues).toMatchObject({
    'ENG-21': { status: 'Todo', labels: ['bug'], suggestedAction: 'dispatch_planner' },
  });
  expect(rejected).toEqual([]);
});

test('one malformed issue among healthy ones is rejected with its place, and the others are answered', async () => {
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
    'a label without a name',
    { issues: [{ ...API, labels: { nodes: [{ name: 5 }] } }] },
    'issues[0].labels.nodes[0].name: expected string, got number 5',
  ],
  ['no issues', {}, 'body: has no issues; '],
  ['a number', 5, 'body: is none of the allowed forms, got number 5'],
  ['too many', new Array(10_001).fill(0), 'body: must be of length at most 10000'],
])('what has no usable issue is refused with its place: %s', async (_, body, message) => {
  const reply = await ask(door, 'POST /state/collect', { body });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'input.invalid']);
  expect(JSON.parse(reply.text).error.message).toContain(message);
});

test('another service’s issues are refused', async () => {
  const reply = await ask(door, 'POST /state/collect', { body: { backend: 'github', issues: [] } });
  expect(codeOf(reply)).toBe('state.not_accepted');
});

test('a page with long texts is taken, and more than is allowed is not', async () => {
  const description = 'x'.repeat(30_000);
  const issues = Array.from({ length: 250 }, (_, index) => ({ ...MCP, id: `ENG-${index + 1}`, description }));
  const reply = await ask(door, 'POST /state/collect', { body: { issues } });
  expect([reply.status, Object.keys(JSON.parse(reply.text).issues).length]).toEqual([200, 250]);
  const large = await ask(door, 'POST /state/collect', { body: Buffer.alloc(POSTED_MOST_BYTES + 1, ' ') });
  expect([large.status, codeOf(large)]).toEqual([413, 'http.body_too_large']);
});
