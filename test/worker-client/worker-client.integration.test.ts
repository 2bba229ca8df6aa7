import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseDoneFlag, parseOutboxEntry } from '../../src/protocol/outbox.ts';
import { VERB_NAMES, VERBS_KEPT_OFFLINE } from '../../src/protocol/verb.ts';
import { deliverVerb } from '../../src/worker-client/reach.ts';
import { openWorkerClient } from '../../src/worker-client/worker-client.ts';
import {
  type Fixture,
  newWorker,
  openWireEdge,
  type Reply,
  type WireEdge,
  writeDaemonFile,
} from './wire-edge.ts';

const SAFE = { says: 'it is safe', durable: true };

let worker: Fixture;
let edges: WireEdge[] = [];

beforeEach(() => {
  worker = newWorker('implement');
});
afterEach(async () => {
  await Promise.all(edges.map((edge) => edge.close()));
  edges = [];
  worker.remove();
});

async function edge(reply: (path: string) => Reply): Promise<WireEdge> {
  const opened = await openWireEdge(worker.state, ({ path }) => reply(path));
  edges.push(opened);
  return opened;
}

const say = (verb: (typeof VERB_NAMES)[number], input: unknown) =>
  openWorkerClient(worker.environment).send(verb, input);
const flag = () => join(worker.outbox, 'done.flag');
const outboxFiles = () => readdirSync(worker.outbox).filter((name) => name !== 'done.flag');

describe('the worker client, while the daemon is reachable', () => {
  test("sends a verb with its own token and returns the daemon's response", async () => {
    const { heard } = await edge(() => ({ body: { says: 'saved', more: 'of a newer daemon' } }));
    expect(await say('checkpoint', { stage: '  half way ', completed: ['a'] })).toEqual({
      kept: false,
      answer: { says: 'saved' },
    });
    expect(heard).toMatchObject([
      {
        path: '/worker/checkpoint',
        authorization: 'Bearer lw1.secret-of-this-attempt',
        input: { stage: 'half way', completed: ['a'], remaining: [], lastAction: 'none' },
      },
    ]);
    expect(existsSync(worker.outbox)).toBe(false);
  });

  test('finds the daemon again after the daemon has moved to another socket', async () => {
    const speaker = openWorkerClient(worker.environment);
    const first = await edge(() => ({ body: { says: 'one' } }));
    await speaker.send('comment', { text: 'hello' });
    await first.close();
    const second = await edge(() => ({ body: { says: 'two' } }));
    await expect(speaker.send('comment', { text: 'hello' })).resolves.toEqual({
      kept: false,
      answer: { says: 'two' },
    });
    expect(second.socket).not.toBe(first.socket);
  });

  test('gives every comment a key, so that a retry does not create a second comment', async () => {
    const replies: Reply[] = [
      'reset',
      { status: 503, body: refusal('daemon.stopping') },
      { body: { says: 'ok' } },
    ];
    const { heard } = await edge(() => replies.shift() ?? 'hang');
    expect(await say('comment', { text: 'once' })).toMatchObject({ kept: false });
    const ids = new Set(heard.map(({ id }) => id));
    expect(heard).toHaveLength(3);
    expect(ids.size).toBe(1);
    expect(new Set(heard.map(({ input }) => (input as { key: string }).key))).toEqual(ids);
    await edge(() => ({ body: { says: 'ok' } }));
    await say('comment', { text: 'again', key: 'mine' });
    expect(edges.at(-1)?.heard[0]?.input).toEqual({ text: 'again', key: 'mine' });
  });

  test.each([
    ['a fault in the catalogue', 409, refusal('merge.refused'), 'merge.refused', 'no'],
    [
      'an unknown fault code',
      418,
      refusal('from.the\u001bfuture'),
      'daemon.defect',
      '"from.the\\u001bfuture": no',
    ],
    ['a response without a fault', 502, '<html>', 'daemon.defect', 'status 502 and no fault'],
    ['a redirect', 302, '', 'daemon.defect', 'status 302'],
    ['a malformed answer', 200, { says: 7 }, 'daemon.defect', 'response to push.says: expected string'],
    ['an answer that is not JSON', 200, 'certainly', 'daemon.defect', 'response to push: '],
  ])('rejects with the right fault code after %s', async (_, status, body, code, message) => {
    await edge(() => ({ status, body }));
    await expect(say('push', {})).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('limits the size of a response', async () => {
    await edge(() => ({ body: JSON.stringify({ says: 'x'.repeat(33 * 1_024 * 1_024) }) }));
    await expect(say('push', {})).rejects.toMatchObject({
      code: 'daemon.defect',
      message: "the daemon's response is larger than 33554432 bytes",
    });
  });
});

describe('the worker client refuses before sending', () => {
  test.each([
    ['an unknown field', 'done', { summary: 'x', force: true }, 'done: unknown key "force"'],
    ['an empty text', 'done', { summary: ' \n ' }, 'done.summary: must be of length at least 1'],
    ['an input that is not an object', 'ask', 'please', 'ask: expected object, got "please"'],
    ['a missing input', 'comment', undefined, 'comment: is missing'],
    [
      'an invalid nested field',
      'handoff_write',
      { summary: 's', tests: ['a', 3] },
      'handoff_write.tests[1]: expected string',
    ],
  ] as const)('%s', async (_, verb, input, message) => {
    const { heard } = await edge(() => ({ body: SAFE }));
    await expect(say(verb, input)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining(message),
    });
    expect(heard).toEqual([]);
  });

  test('a verb of another mode, or an oversized message', async () => {
    const { heard } = await edge(() => ({ body: SAFE }));
    await expect(say('merge', {})).rejects.toMatchObject({
      code: 'worker.not_for_mode',
      message: 'merge is for merge, not for implement',
    });
    const details = { log: 'x'.repeat(1_024 * 1_024) };
    await expect(say('handoff_write', { summary: 's', details })).rejects.toMatchObject({
      code: 'http.body_too_large',
    });
    expect(heard).toEqual([]);
  });
});

describe('a report and its flag', () => {
  test.each([['done'], ['error']] as const)(
    "%s writes the flag only after the daemon's acknowledgement",
    async (verb) => {
      const seen: boolean[] = [];
      await edge(() => {
        seen.push(existsSync(flag()));
        return { body: SAFE };
      });
      const before = Date.now();
      expect(await say(verb, { summary: 'all of it' })).toEqual({ kept: false, answer: SAFE });
      expect(seen).toEqual([false]);
      const raised = parseDoneFlag(readFileSync(flag(), 'utf8'));
      expect(raised).toMatchObject({ ok: true, value: { verb, worker: 'demo-1-implement', attempt: 3 } });
      expect(raised.ok && raised.value.at).toBeGreaterThanOrEqual(before);
      expect(statSync(flag()).mode & 0o777).toBe(0o600);
    },
  );

  test('a rejected report, an unreadable response or another verb writes no flag', async () => {
    const missing = { says: 'not yet', durable: true, accepted: false, missing: 'a pull request' };
    const replies: Reply[] = [
      { body: missing },
      { body: { ...SAFE, durable: false } },
      { body: { says: 'ok' } },
    ];
    await edge(() => replies.shift() ?? 'hang');
    expect(await say('done', { summary: 's' })).toEqual({ kept: false, answer: missing });
    await expect(say('done', { summary: 's' })).rejects.toMatchObject({ code: 'daemon.defect' });
    await say('checkpoint', { stage: 's' });
    expect(existsSync(flag())).toBe(false);
  });

  test('a flag that cannot be written does not undo the acknowledgement', async () => {
    await edge(() => ({ body: SAFE }));
    writeFileSync(join(worker.state, 'workspace'), 'a file where a folder should be');
    expect(await say('done', { summary: 's' })).toEqual({ kept: false, answer: SAFE });
  });
});

test('while the daemon is unreachable, reports are stored in the outbox and everything else is refused', async () => {
  const gone = await edge(() => 'hang');
  await gone.close();
  const began = Date.now();
  const inputs = {
    done: { summary: 'x' },
    error: { summary: 'x' },
    checkpoint: { stage: 'x' },
    handoff_write: { summary: 'x' },
    ask: { question: 'x' },
    comment: { text: 'x' },
  } as Record<string, object>;
  const broken = newWorker('implement');
  writeFileSync(join(broken.state, 'workspace'), 'a file where a folder should be');
  const others = VERB_NAMES.filter((verb) => ['issue', 'push', 'status'].includes(verb));
  const [kept, refused, unkept] = await Promise.all([
    Promise.all(VERBS_KEPT_OFFLINE.map((verb) => say(verb, inputs[verb]))),
    Promise.allSettled(others.map((verb) => say(verb, {}))),
    Promise.allSettled([openWorkerClient(broken.environment).send('done', { summary: 'lost' })]),
  ]);
  broken.remove();

  expect(Date.now() - began).toBeGreaterThanOrEqual(1_900);
  expect(refused).toMatchObject(
    others.map(() => ({
      reason: { code: 'speech.daemon_away', message: `no daemon is listening on ${gone.socket}` },
    })),
  );
  expect(unkept).toMatchObject([{ reason: { code: 'speech.outbox_failed' } }]);

  const files = kept.map((spoken) => (spoken.kept ? spoken.file : ''));
  expect(files.map((file) => parseOutboxEntry(readFileSync(file, 'utf8'), file))).toMatchObject(
    VERBS_KEPT_OFFLINE.map((verb) => ({
      ok: true,
      value: {
        verb,
        input: inputs[verb],
        worker: 'demo-1-implement',
        attempt: 3,
        token: 'lw1.secret-of-this-attempt',
      },
    })),
  );
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o600));
  expect(outboxFiles()).toHaveLength(files.length);
  expect(existsSync(flag())).toBe(false);
}, 10_000);

test('an unknown token is refused, and nothing is stored', async () => {
  await edge(() => ({ status: 401, body: refusal('http.unauthorised') }));
  await expect(say('done', { summary: 's' })).rejects.toMatchObject({ code: 'http.unauthorised' });
  expect(existsSync(worker.outbox)).toBe(false);
});

test('a worker that finds no daemon.json tries the socket that it was given at its start', async () => {
  const { socket, heard } = await edge(() => ({ body: SAFE }));
  rmSync(join(worker.state, 'daemon.json'));
  const speaker = openWorkerClient({ ...worker.environment, LEGION_SOCKET: socket });
  expect(await speaker.send('done', { summary: 's' })).toEqual({ kept: false, answer: SAFE });
  expect(heard).toHaveLength(1);
});

test.each<[string, (socket: string) => string, RegExp]>([
  ['in a folder that others can enter', openFolder, /has mode 0755/],
  ['that is a symbolic link', linkTo, /is a symbolic link instead of a socket/],
  ['that is an ordinary file', fileBeside, /is not a socket/],
])('a worker sends nothing to a socket %s, and keeps its report', async (_, arrange, why) => {
  const { socket, heard } = await edge(() => ({ body: SAFE }));
  writeDaemonFile(worker.state, arrange(socket));
  await expect(say('issue', {})).rejects.toMatchObject({
    code: 'speech.daemon_away',
    message: expect.stringMatching(why),
  });
  expect(await say('done', { summary: 's' })).toMatchObject({ kept: true });
  expect(heard).toEqual([]);
});

test('if a worker is stopped while the daemon is not responding, its report is stored immediately', async () => {
  const controller = new AbortController();
  const silent = await edge(() => {
    controller.abort();
    return 'hang';
  });
  const speaker = openWorkerClient(worker.environment, { signal: controller.signal });
  expect(await speaker.send('done', { summary: 's' })).toMatchObject({ kept: true });
  await expect(speaker.send('issue', {})).rejects.toMatchObject({ code: 'speech.daemon_away' });
  expect(silent.heard).toHaveLength(1);
  expect(outboxFiles()).toHaveLength(1);
});

test('a daemon that does not respond in time is treated as unreachable, without a retry', async () => {
  const silent = await edge(() => 'hang');
  const message = { id: 'x', verb: 'done', body: '{}', patienceMs: 50 };
  expect(await deliverVerb(worker.environment, message, undefined)).toMatchObject({
    away: true,
    why: `${silent.socket}: no response in time`,
  });
  expect(silent.heard).toHaveLength(1);
});

test.each([
  ['no JSON', '{"url":'],
  ['an invalid address', '{"url":"not an address","pid":1}'],
  [
    'no socket',
    JSON.stringify({ legion: 'x', url: 'http://127.0.0.1:1', pid: 1, startedAt: 0, version: '1' }),
  ],
  ['too much text', ' '.repeat(20_000)],
])('a daemon.json with %s is treated as missing', async (_, content) => {
  writeFileSync(join(worker.state, 'daemon.json'), content);
  const { signal } = stopSoon();
  const speaker = openWorkerClient(worker.environment, { signal });
  expect(await speaker.send('done', { summary: 's' })).toMatchObject({ kept: true });
});

/** Ends the retries immediately, because only the first try matters here. */
function stopSoon(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}

function refusal(code: string) {
  return { error: { code, message: 'no', next: 'something' } };
}

function openFolder(socket: string): string {
  chmodSync(worker.state, 0o755);
  return socket;
}

function linkTo(socket: string): string {
  symlinkSync(socket, `${socket}.link`);
  return `${socket}.link`;
}

function fileBeside(socket: string): string {
  writeFileSync(`${socket}.file`, '');
  return `${socket}.file`;
}
