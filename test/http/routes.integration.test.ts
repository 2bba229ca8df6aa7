/** Tests that each route calls the daemon once, with the data of the request. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { type Asking, ask, codeOf, type Reply } from './ask.ts';
import { type Legion, openLegion, type Served, WORKER } from './served.ts';

type Call = readonly [what: string, ...given: unknown[]];
type Answer = readonly [status: number, code?: string];

const FINE: Answer = [200];
/** Responses for issues and workers that do not exist. */
const NO_ISSUE: Answer = [404, 'tracker.issue_unknown'];
const NO_WORKER: Answer = [404, 'worker.unknown'];

const calls: Call[] = [];
let legion: Legion;
let door: Served;
beforeAll(async () => {
  legion = await openLegion();
  door = await legion.serve({ instead: overheard });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(() => legion.close());

const MESSAGE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const ISSUE = { title: 'A door', body: '', status: 'Triage', labels: [], priority: 0, blockedBy: [] };
const HANDOFF = { summary: 's', decided: [], done: [], left: [], files: [], tests: [] };

const ASKED: readonly (readonly [route: string, answer: Answer, body: unknown, ...call: Call])[] = [
  ['GET /health', FINE, undefined, 'health'],
  ['GET /session', FINE, undefined, 'session'],
  ['GET /workers', FINE, undefined, 'workers.list', { active: false }],
  ['GET /workers?active=true', FINE, undefined, 'workers.list', { active: true }],
  [
    'POST /workers',
    NO_ISSUE,
    { issueId: 'demo-1', mode: 'finish' },
    'workers.dispatch',
    { issue: 'demo-1', mode: 'merge', force: false, by: 'operator' },
  ],
  [
    'POST /workers',
    NO_ISSUE,
    { issue: 'demo-1', mode: 'plan', version: 2, by: 'ada' },
    'workers.dispatch',
    { issue: 'demo-1', mode: 'plan', version: 2, force: false, by: 'ada' },
  ],
  ['GET /journal/span', FINE, undefined, 'dashboard.span'],
  ['GET /figures?back=3600000', FINE, undefined, 'dashboard.figures', 3_600_000],
  ['GET /issues/demo-1/story', NO_ISSUE, undefined, 'dashboard.story', 'demo-1', { limit: 200 }],
  ['GET /issues/demo-1/attempts', NO_ISSUE, undefined, 'dashboard.attempts', 'demo-1'],
  ['GET /issues/demo-1/diff', NO_ISSUE, undefined, 'dashboard.diff', 'demo-1'],
  ['POST /workers/prune', FINE, undefined, 'workers.prune', {}],
  ['POST /workers/prune', FINE, { issueIds: ['demo-1'] }, 'workers.prune', { issueIds: ['demo-1'] }],
  ['GET /workers/Demo-1-plan', NO_WORKER, undefined, 'workers.get', 'demo-1-plan'],
  ['PATCH /workers/demo-1-plan', NO_WORKER, { version: 3 }, 'workers.reversion', 'demo-1-plan', 3],
  [
    'DELETE /workers/demo-1-plan?by=ada',
    NO_WORKER,
    undefined,
    'workers.stop',
    'demo-1-plan',
    { by: 'ada', restart: false },
  ],
  [
    'DELETE /workers/demo-1-plan?restart=true',
    NO_WORKER,
    undefined,
    'workers.stop',
    'demo-1-plan',
    { by: 'operator', restart: true },
  ],
  ['GET /workers/demo-1-plan/status', NO_WORKER, undefined, 'workers.status', 'demo-1-plan'],
  [
    'POST /workers/demo-1-plan/prompt',
    NO_WORKER,
    { text: ' go on ' },
    'workers.prompt',
    'demo-1-plan',
    { text: 'go on', by: 'operator', interrupt: false },
  ],
  ['GET /workers/demo-1-plan/env', NO_WORKER, undefined, 'workers.environment', 'demo-1-plan'],
  [
    'DELETE /workers/demo-1-plan/workspace',
    FINE,
    { repo: 'a/b' },
    'workers.removeWorkspace',
    'demo-1-plan',
    'a/b',
  ],
  [
    'DELETE /workers/demo-1-plan/crashes',
    NO_WORKER,
    undefined,
    'workers.resetCrashes',
    'demo-1-plan',
    'operator',
  ],
  ['GET /workers/demo-1-plan/logs', NO_WORKER, undefined, 'workers.logs', 'demo-1-plan', { stream: 'out' }],
  [
    'GET /workers/demo-1-plan/logs?last=16777216',
    NO_WORKER,
    undefined,
    'workers.logs',
    'demo-1-plan',
    { last: 16_777_216, stream: 'out' },
  ],
  [
    'GET /workers/demo-1-plan/logs?attempt=2&offset=9&stream=err',
    NO_WORKER,
    undefined,
    'workers.logs',
    'demo-1-plan',
    { attempt: 2, offset: 9, stream: 'err' },
  ],
  ['POST /state/fetch-and-collect', FINE, undefined, 'operator.collect', { lastSeen: false }],
  [
    'POST /state/fetch-and-collect',
    FINE,
    { backend: 'local' },
    'operator.collect',
    { backend: 'local', lastSeen: false },
  ],
  [
    'POST /state/collect',
    FINE,
    { backend: 'local', issues: [{ id: 'x' }] },
    'operator.collectPosted',
    { backend: 'local', issues: [{ id: 'x' }] },
  ],
  [
    'POST /state/advance',
    NO_ISSUE,
    { issue: 'demo-1', stage: 'Todo' },
    'operator.advance',
    { issue: 'demo-1', stage: 'Todo', dryRun: false, by: 'operator' },
  ],
  ['GET /state/materialized', FINE, undefined, 'operator.materialized'],
  ['POST /shutdown', FINE, undefined, 'shutdown', 'stop', undefined],
  ['POST /shutdown?workers=stop&by=ada', FINE, undefined, 'shutdown', 'stop', 'ada'],
  ['POST /restart', FINE, undefined, 'shutdown', 'restart'],
  ['GET /issues', FINE, undefined, 'issues.list'],
  ['POST /issues', [201], { title: 'A door' }, 'issues.add', ISSUE],
  ['GET /issues/demo-1', NO_ISSUE, undefined, 'issues.show', 'demo-1'],
  [
    'PATCH /issues/demo-1',
    NO_ISSUE,
    { priority: 1, labels: { add: ['bug'] }, expected: { priority: 0 } },
    'issues.edit',
    'demo-1',
    { priority: 1, labels: { add: ['bug'], remove: [] }, expected: { priority: 0 } },
  ],
  ['DELETE /issues/demo-1', NO_ISSUE, undefined, 'issues.close', 'demo-1'],
  [
    'POST /issues/demo-1/comments',
    NO_ISSUE,
    { text: 'so be it', author: 'ada' },
    'issues.comment',
    'demo-1',
    'ada',
    'so be it',
  ],
  [
    'POST /issues/demo-1/labels',
    NO_ISSUE,
    { add: ['bug'] },
    'issues.label',
    'demo-1',
    { add: ['bug'], remove: [] },
  ],
  ['POST /issues/demo-1/move', NO_ISSUE, { status: 'Todo' }, 'issues.move', 'demo-1', 'Todo'],
  [
    'POST /issues/demo-1/blockers',
    NO_ISSUE,
    { remove: ['demo-2'] },
    'issues.block',
    'demo-1',
    { add: [], remove: ['demo-2'] },
  ],
  ['GET /issues/demo-1/explain', NO_ISSUE, undefined, 'operator.explain', 'demo-1'],
  ['GET /issues/demo-1/gates', NO_ISSUE, undefined, 'operator.gates', 'demo-1'],
  ['GET /issues/demo-1/ci', NO_ISSUE, undefined, 'operator.ci', 'demo-1', { lines: 20 }],
  [
    'GET /issues/demo-1/ci?check=unit&lines=500',
    NO_ISSUE,
    undefined,
    'operator.ci',
    'demo-1',
    { check: 'unit', lines: 500 },
  ],
  ['GET /issues/demo-1/handoffs', NO_ISSUE, undefined, 'operator.handoffs', 'demo-1'],
  [
    'PUT /issues/demo-1/handoffs/retro',
    NO_ISSUE,
    { summary: 's' },
    'operator.writeHandoff',
    'demo-1',
    'retro',
    HANDOFF,
  ],
  [
    'POST /issues/demo-1/approve',
    NO_ISSUE,
    { by: 'ada' },
    'operator.approve',
    'demo-1',
    { by: 'ada', through: 'http' },
  ],
  [
    'POST /issues/demo-1/reject',
    NO_ISSUE,
    { why: 'too slow', through: 'dashboard' },
    'operator.reject',
    'demo-1',
    { why: 'too slow', through: 'dashboard', by: 'operator' },
  ],
  [
    'POST /issues/demo-1/answer',
    NO_ISSUE,
    { text: 'blue', question: 2 },
    'operator.answer',
    'demo-1',
    { text: 'blue', question: 2, by: 'operator' },
  ],
  ['POST /issues/demo-1/pause', NO_ISSUE, { why: 'lunch' }, 'operator.pause', 'demo-1', 'operator', 'lunch'],
  ['POST /issues/demo-1/resume', NO_ISSUE, undefined, 'operator.resume', 'demo-1', 'operator'],
  ['POST /issues/demo-1/rollback', NO_ISSUE, undefined, 'operator.rollback', 'demo-1', 'operator'],
  [
    'POST /pull-requests/7/merge',
    [404, 'forge.pull_request_missing'],
    { by: 'ada', force: true, repo: 'repository' },
    'operator.mergePullRequest',
    { number: 7, by: 'ada', force: true, repo: 'repository' },
  ],
  ['GET /inbox', FINE, undefined, 'operator.inbox'],
  ['GET /status', FINE, undefined, 'operator.status', {}],
  [
    'GET /status?finished=all&detail=full',
    FINE,
    undefined,
    'operator.status',
    { finished: 'all', detail: 'full' },
  ],
  ['POST /resume', [409, 'resume.not_paused'], { by: 'ada' }, 'operator.resume', undefined, 'ada'],
  ['POST /halt', FINE, { by: 'ada', why: 'fire' }, 'operator.halt', 'ada', 'fire'],
  ['POST /pause', FINE, undefined, 'operator.pause', undefined, 'operator', 'an operator paused it'],
  ['POST /gc', FINE, undefined, 'operator.gc'],
  ['GET /repositories/commands', FINE, undefined, 'operator.repositoryCommands'],
  [
    'POST /repositories/commands/approve',
    [409, 'commands.changed'],
    { repo: 'repository', fingerprint: 'f' },
    'operator.approveCommands',
    'repository',
    'f',
    'operator',
  ],
  [
    'POST /repositories/baseline',
    FINE,
    { action: 'ignore', by: 'ada' },
    'operator.baseline',
    { action: 'ignore', by: 'ada' },
  ],
  ['GET /metrics', FINE, undefined, 'metrics'],
];

test.each(ASKED.map(([route, answer, body, ...call]) => ({ route, answer, body, call })))(
  '$route makes the expected call and returns the expected response',
  async ({ route, answer, body, call }) => {
    const reply = await ask(door, route, { body });
    expect(calls).toEqual([call]);
    expect(answerIn(reply)).toEqual(answer);
    expect(door.defects).toEqual([]);
  },
);

test('POST /worker/:verb forwards the worker, the body and the message id', async () => {
  const headers = { 'idempotency-key': MESSAGE };
  const asking: Asking = { token: door.workerToken, headers, body: { summary: 's', more: [1] } };
  // The server forwards even an invalid body, because the worker API checks it.
  const done = await ask(door, 'POST /worker/done', asking);
  expect(answerIn(done)).toEqual([400, 'input.invalid']);
  expect(done.text).toContain('done: unknown key');
  const status = await ask(door, 'POST /worker/status', { token: door.workerToken });
  expect(answerIn(status)).toEqual([409, 'worker.attempt_over']);
  expect(calls.filter(([what]) => what === 'workerApi.handleVerb')).toEqual([
    ['workerApi.handleVerb', WORKER, 'done', { summary: 's', more: [1] }, MESSAGE],
    ['workerApi.handleVerb', WORKER, 'status', {}, undefined],
  ]);
});

test('metrics are text in the Prometheus format', async () => {
  const { headers, text } = await ask(door, 'GET /metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toMatch(/^# HELP legion_/);
});

test('requests that create something answer 201', async () => {
  const documented = JSON.parse((await ask(door, 'GET /openapi.json')).text);
  const made = Object.entries<Record<string, { responses: object }>>(documented.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        '201' in responses ? [`${method} ${path}`] : [],
      ),
  );
  expect(made).toEqual(['post /issues', 'post /workers', 'post /session/codes', 'post /session']);
});

test('these tests cover every live route', () => {
  const elsewhere = [
    'POST /worker/',
    'GET /events',
    'GET /openapi.json',
    'POST /webhooks/',
    'POST /session',
    'DELETE /session',
    'GET /board', // requests the board's version first, so the route calls the daemon twice
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

function answerIn(reply: Reply): Answer {
  return reply.status < 400 ? [reply.status] : [reply.status, codeOf(reply)];
}

/** Wraps a daemon and records its calls. */
function overheard(daemon: Daemon): Partial<Daemon> {
  return {
    ...listened('', {
      health: daemon.health,
      session: daemon.session,
      metrics: daemon.metrics,
      shutdown: daemon.shutdown,
    }),
    issues: listened('issues.', daemon.issues),
    workers: listened('workers.', daemon.workers),
    operator: listened('operator.', daemon.operator),
    dashboard: listened('dashboard.', daemon.dashboard),
    workerApi: {
      identify: (token) => daemon.workerApi.identify(token),
      handleVerb: listened('workerApi.', daemon.workerApi).handleVerb,
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
