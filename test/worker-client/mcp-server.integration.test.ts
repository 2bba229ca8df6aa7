import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, expect, test } from 'vitest';
import { LAUNCHER } from '../installed/launcher.ts';
import { type Fixture, newWorker, openWireEdge, type Reply } from './wire-edge.ts';

const fixtures: Fixture[] = [];
afterAll(() => {
  for (const fixture of fixtures) fixture.remove();
});

function aWorker(mode: string): Fixture {
  const fixture = newWorker(mode);
  fixtures.push(fixture);
  return fixture;
}

async function connected<T>(
  worker: Fixture,
  use: (client: Client) => Promise<T>,
  options?: ClientOptions,
): Promise<T> {
  const client = new Client({ name: 'test', version: '0' }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, 'mcp'],
    env: { ...worker.env },
  });
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

test('offers the verbs of the worker’s mode as tools, and sends them to the daemon in order', async () => {
  const worker = aWorker('test');
  const replies: Record<string, Reply> = {
    '/worker/verdict': { body: { says: 'noted', sha: 'abc' } },
    '/worker/handoff_write': { body: { says: 'kept', phase: 'test' } },
    '/worker/comment': {
      status: 409,
      body: { error: { code: 'worker.attempt_over', message: 'over', next: '-' } },
    },
    '/worker/done': { body: { says: 'not yet', durable: true, accepted: false, missing: 'a verdict' } },
  };
  const edge = await openWireEdge(worker.state, ({ path }) => replies[path] ?? 'hang');
  await connected(worker, async (client) => {
    expect(client.getServerVersion()).toMatchObject({ name: 'legion' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      'issue done error ask checkpoint handoff_read handoff_write comment pr_show ci verdict message status'.split(
        ' ',
      ),
    );
    expect(tools.find(({ name }) => name === 'verdict')).toEqual({
      name: 'verdict',
      description: 'report whether the tests pass at the pull request’s head',
      inputSchema: expect.objectContaining({
        required: ['result'],
        properties: expect.objectContaining({
          result: { type: 'string', enum: ['pass', 'fail'], description: 'pass or fail' },
        }),
      }),
    });

    const call = (name: string, input?: Record<string, unknown>) =>
      client.callTool({ name, arguments: input });
    const [verdict, handoff, done] = await Promise.all([
      call('verdict', { result: 'pass', suites: ['unit'] }),
      call('handoff_write', { summary: 's' }),
      call('done', { summary: 's' }),
    ]);
    expect(edge.heard.map(({ path }) => path)).toEqual([
      '/worker/verdict',
      '/worker/handoff_write',
      '/worker/done',
    ]);
    expect(verdict).toEqual({
      content: [{ type: 'text', text: '{"says":"noted","sha":"abc"}' }],
      structuredContent: { says: 'noted', sha: 'abc' },
    });
    expect(handoff).toMatchObject({ structuredContent: { phase: 'test' } });
    expect(done).toMatchObject({
      isError: true,
      structuredContent: { accepted: false, missing: 'a verdict' },
    });

    edge.heard.length = 0;
    expect(await call('comment', { text: 'x' })).toMatchObject(refused('worker.attempt_over', 'over'));
    expect(await call('verdict', { result: 'maybe' })).toMatchObject(
      refused('input.invalid', 'verdict.result: expected'),
    );
    expect(await call('done')).toMatchObject(refused('input.invalid', 'done.summary: is missing'));
    expect(await call('merge', {})).toMatchObject(refused('worker.not_for_mode', 'merge is for merge'));
    expect(await call('__proto__', {})).toMatchObject(refused('input.invalid', 'Unknown tool "__proto__"'));
    expect(edge.heard).toHaveLength(1);
  });
  await edge.close();
});

test.each([
  ['2025-06-18', { supportedProtocolVersions: ['2025-06-18'] }],
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
] satisfies [string, ClientOptions][])(
  'serves a client that uses protocol version %s',
  async (version, options) => {
    const worker = aWorker('plan');
    const edge = await openWireEdge(worker.state, () => ({ body: { says: 'safe', durable: true } }));
    await connected(
      worker,
      async (client) => {
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
        expect((await client.listTools()).tools.map(({ name }) => name)).toContain('done');
        expect(await client.callTool({ name: 'done', arguments: { summary: 's' } })).toMatchObject({
          structuredContent: { durable: true },
        });
      },
      options,
    );
    await edge.close();
  },
);

test('exits when a message exceeds the size limit of the protocol library, before or after the first request', async () => {
  const endless = 'x'.repeat(11 * 1024 * 1024);
  const listTools = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`;
  for (const input of [endless, `${listTools}${endless}`]) {
    const child = spawn(process.execPath, [LAUNCHER, 'mcp'], { env: { ...aWorker('plan').env } });
    child.stdin.on('error', () => {});
    child.stdin.write(input);
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  }
});

test('survives hostile input, responds to all requests up to the end of the input, and then exits', async () => {
  const worker = aWorker('plan');
  const edge = await openWireEdge(worker.state, () => ({ body: { says: 'safe', durable: true } }));
  const child = spawn(process.execPath, [LAUNCHER, 'mcp'], { env: { ...worker.env, NO_COLOR: '1' } });
  const [out, err] = [text(child.stdout), text(child.stderr)];
  const ask = (id: number, method: string, params: unknown) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  child.stdin.end(
    [
      'not json\n{"jsonrpc":"1.0"}\n[]\n\n\u0000\n',
      ask(1, 'tools/call', { name: 42, arguments: 'x' }),
      ask(2, 'tools/call', { name: 'done', arguments: { summary: 'x', __proto__: { a: 1 } } }),
      ask(3, 'no/such', {}),
      ask(4, 'tools/call', { name: 'done', arguments: { summary: 'the end' } }),
    ].join(''),
  );
  const [code] = await once(child, 'exit');
  await edge.close();
  expect(await err).toBe('');
  expect(code).toBe(0);
  const answers = (await out)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; error?: object; result?: object });
  expect(answers.find(({ id }) => id === 1)?.error).toMatchObject({
    message: expect.stringContaining('name'),
  });
  expect(answers.find(({ id }) => id === 3)?.error).toMatchObject({ code: -32601 });
  expect(answers.find(({ id }) => id === 4)?.result).toMatchObject({ structuredContent: { durable: true } });
  expect(existsSync(join(worker.outbox, 'done.flag'))).toBe(true);
});

test('stores the report and exits if a signal arrives while the daemon is not responding; runs only inside workers', async () => {
  const stranger = spawn(process.execPath, [LAUNCHER, 'mcp'], { env: { NO_COLOR: '1' } });
  const complaint = Promise.all([text(stranger.stderr), once(stranger, 'exit')]);
  const worker = aWorker('plan');
  const child = spawn(process.execPath, [LAUNCHER, 'mcp'], { env: { ...worker.env, NO_COLOR: '1' } });
  const edge = await openWireEdge(worker.state, () => {
    child.kill('SIGTERM');
    return 'hang';
  });
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'error', arguments: { summary: 'x' } },
  };
  child.stdin.write(`${JSON.stringify(call)}\n`);
  const out = text(child.stdout);
  const [code] = await once(child, 'exit');
  await edge.close();
  expect(code).toBe(0);
  expect(JSON.parse(await out)).toMatchObject({
    id: 1,
    result: { structuredContent: { kept: true, file: expect.stringContaining(worker.outbox) } },
  });
  expect(readdirSync(worker.outbox)).toHaveLength(1);
  expect(await complaint).toEqual([expect.stringContaining('[speech.not_a_worker]'), [1, null]]);
});

function refused(code: string, message: string) {
  return {
    isError: true,
    structuredContent: {
      error: { code, message: expect.stringContaining(message), next: expect.any(String) },
    },
  };
}
