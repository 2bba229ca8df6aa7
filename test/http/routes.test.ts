/** Each route asks the daemon one thing, with what the request said. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { type Asking, ask } from './ask.ts';
import { type Served, serve, WORKER, WORKER_TOKEN } from './served.ts';

type Call = readonly [what: string, ...given: unknown[]];

const calls: Call[] = [];
let door: Served;
beforeAll(async () => {
  door = await serve({ instead: overheard });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(() => door.close());

const MESSAGE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ISSUE = { title: 'A door', body: '', status: 'Triage', labels: [], priority: 0, blockedBy: [] };
const HANDOFF = { summary: 's', decided: [], done: [], left: [], files: [], tests: [] };

const ASKED: readonly (readonly [route: string, body: unknown, ...call: Call])[] = [
  ['GET /health', undefined, 'health'],
  ['GET /workers', undefined, 'workers.list'],
  [
    'POST /workers',
    { issue: 'demo-1', mode: 'plan', version: 2, by: 'ada' },
    'workers.dispatch',
    { issue: 'demo-1', mode: 'plan', version: 2, force: false, by: 'ada' },
  ],
  ['POST /workers/prune', undefined, 'workers.prune'],
  ['GET /workers/Demo-1-plan', undefined, 'workers.get', 'demo-1-plan'],
  ['PATCH /workers/demo-1-plan', { version: 3 }, 'workers.reversion', 'demo-1-plan', 3],
  ['DELETE /workers/demo-1-plan?by=ada', undefined, 'workers.stop', 'demo-1-plan', 'ada'],
  ['GET /workers/demo-1-plan/status', undefined, 'workers.status', 'demo-1-plan'],
  [
    'POST /workers/demo-1-plan/prompt',
    { text: ' go on ' },
    'workers.prompt',
    'demo-1-plan',
    'go on',
    'operator',
  ],
  ['GET /workers/demo-1-plan/env', undefined, 'workers.environment', 'demo-1-plan'],
  ['DELETE /workers/demo-1-plan/workspace', undefined, 'workers.removeWorkspace', 'demo-1-plan'],
  ['DELETE /workers/demo-1-plan/crashes', undefined, 'workers.resetCrashes', 'demo-1-plan', 'operator'],
  ['GET /workers/demo-1-plan/logs', undefined, 'workers.logs', 'demo-1-plan', { offset: 0, stream: 'out' }],
  [
    'GET /workers/demo-1-plan/logs?attempt=2&offset=9&stream=err',
    undefined,
    'workers.logs',
    'demo-1-plan',
    { attempt: 2, offset: 9, stream: 'err' },
  ],
  ['POST /state/fetch-and-collect', undefined, 'operator.collect'],
  [
    'POST /state/advance',
    { issue: 'demo-1', stage: 'Todo' },
    'operator.advance',
    { issue: 'demo-1', stage: 'Todo', dryRun: false },
  ],
  ['GET /state/materialized', undefined, 'operator.materialized'],
  ['POST /shutdown', undefined, 'shutdown', 'stop'],
  ['POST /restart', undefined, 'shutdown', 'restart'],
  ['GET /issues', undefined, 'issues.list'],
  ['POST /issues', { title: 'A door' }, 'issues.add', ISSUE],
  ['GET /issues/demo-1', undefined, 'issues.show', 'demo-1'],
  ['PATCH /issues/demo-1', { priority: 1 }, 'issues.edit', 'demo-1', { priority: 1 }],
  ['DELETE /issues/demo-1', undefined, 'issues.close', 'demo-1'],
  [
    'POST /issues/demo-1/comments',
    { text: 'so be it', author: 'ada' },
    'issues.comment',
    'demo-1',
    'ada',
    'so be it',
  ],
  ['POST /issues/demo-1/labels', { add: ['bug'] }, 'issues.label', 'demo-1', { add: ['bug'], remove: [] }],
  ['POST /issues/demo-1/move', { status: 'Todo' }, 'issues.move', 'demo-1', 'Todo'],
  [
    'POST /issues/demo-1/blockers',
    { remove: ['demo-2'] },
    'issues.block',
    'demo-1',
    { add: [], remove: ['demo-2'] },
  ],
  ['GET /issues/demo-1/explain', undefined, 'operator.explain', 'demo-1'],
  ['GET /issues/demo-1/gates', undefined, 'operator.gates', 'demo-1'],
  ['GET /issues/demo-1/handoffs', undefined, 'operator.handoffs', 'demo-1'],
  [
    'PUT /issues/demo-1/handoffs/retro',
    { summary: 's' },
    'operator.writeHandoff',
    'demo-1',
    'retro',
    HANDOFF,
  ],
  ['POST /issues/demo-1/approve', { by: 'ada' }, 'operator.approve', 'demo-1', 'ada'],
  [
    'POST /issues/demo-1/answer',
    { text: 'blue', question: 2 },
    'operator.answer',
    'demo-1',
    { text: 'blue', question: 2, by: 'operator' },
  ],
  ['POST /issues/demo-1/pause', { why: 'lunch' }, 'operator.pause', 'demo-1', 'operator', 'lunch'],
  ['POST /issues/demo-1/resume', undefined, 'operator.resume', 'demo-1', 'operator'],
  ['POST /issues/demo-1/rollback', undefined, 'operator.rollback', 'demo-1', 'operator'],
  ['GET /inbox', undefined, 'operator.inbox'],
  ['POST /pause', undefined, 'operator.pause', undefined, 'operator', 'an operator paused it'],
  ['POST /resume', { by: 'ada' }, 'operator.resume', undefined, 'ada'],
  ['POST /gc', undefined, 'operator.gc'],
  ['GET /repositories/commands', undefined, 'operator.repositoryCommands'],
  [
    'POST /repositories/commands/approve',
    { repo: 'r', fingerprint: 'f' },
    'operator.approveCommands',
    'r',
    'f',
    'operator',
  ],
  ['GET /metrics', undefined, 'metrics'],
];

test.each(ASKED.map(([route, body, ...call]) => ({ route, body, call })))(
  '$route',
  async ({ route, body, call }) => {
    const reply = await ask(door, route, { body });
    expect(calls).toEqual([call]);
    // This legion is empty: what it does not refuse, it answers.
    if (reply.status >= 400) expect(JSON.parse(reply.text).error.code).toMatch(/unknown|not_paused|changed/);
    else expect(reply.status).toBe(200);
    expect(door.defects).toEqual([]);
  },
);

test('POST /worker/:verb says who spoke, what, and by which id', async () => {
  const headers = { 'idempotency-key': MESSAGE };
  const asking: Asking = { token: WORKER_TOKEN, headers, body: { summary: 's', more: [1] } };
  await ask(door, 'POST /worker/done', asking);
  await ask(door, 'POST /worker/status', { token: WORKER_TOKEN });
  expect(calls.filter(([what]) => what === 'speech.say')).toEqual([
    ['speech.say', WORKER, 'done', { summary: 's', more: [1] }, MESSAGE],
    ['speech.say', WORKER, 'status', {}, undefined],
  ]);
});

test('figures are text in the form Prometheus reads', async () => {
  const { headers, text } = await ask(door, 'GET /metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toMatch(/^# HELP legion_/);
});

test('what is new is answered with 201', async () => {
  const documented = JSON.parse((await ask(door, 'GET /openapi.json')).text);
  const made = Object.entries<Record<string, { responses: object }>>(documented.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        '201' in responses ? [`${method} ${path}`] : [],
      ),
  );
  expect(made).toEqual(['post /issues', 'post /workers']);
});

test('no route is missing here', () => {
  const elsewhere = [
    'POST /worker/',
    'GET /events',
    'GET /openapi.json',
    'POST /webhooks/',
    'POST /state/collect',
  ];
  const patterns = door.routes().map(({ method, path }) => ({
    route: `${method} ${path}`,
    form: new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  }));
  const missing = patterns
    .filter(({ form }) => !ASKED.some(([route]) => form.test(route.replace(/\?.*/, ''))))
    .filter(({ route }) => !elsewhere.some((each) => route.startsWith(each)));
  expect(missing.map(({ route }) => route)).toEqual([]);
});

/** The same daemon; what it is asked is written down. */
function overheard(daemon: Daemon): Partial<Daemon> {
  return {
    ...listened('', { health: daemon.health, metrics: daemon.metrics, shutdown: daemon.shutdown }),
    issues: listened('issues.', daemon.issues),
    workers: listened('workers.', daemon.workers),
    operator: listened('operator.', daemon.operator),
    speech: {
      identify: (token) => daemon.speech.identify(token),
      say: listened('speech.', daemon.speech).say,
    },
  };
}

function listened<T extends object>(prefix: string, desk: T): T {
  return new Proxy(desk, {
    get(_, name) {
      const method: unknown = Reflect.get(desk, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        calls.push([`${prefix}${String(name)}`, ...given]);
        return Reflect.apply(method, desk, given);
      };
    },
  });
}
