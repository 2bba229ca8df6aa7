/** A server is begun on a port of its own behind a password, and ended whatever it does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Server, startServer } from '../../../src/agents/opencode/server.ts';
import { fakeProgram } from './fake-program.ts';

/** As `opencode serve` does it, as far as a driver sees it. `before` is done with the number of the start. */
function serving(before = ''): string {
  return `
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const starts = import.meta.dirname + '/starts';
appendFileSync(starts, process.argv.slice(2).join(' ') + '\\n');
const start = readFileSync(starts, 'utf8').trim().split('\\n').length;
${before}
const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
const expected = 'Basic ' + btoa('opencode:' + process.env.OPENCODE_SERVER_PASSWORD);
createServer((request, response) => {
  const isKnown = request.headers.authorization === expected;
  response.writeHead(isKnown ? 200 : 401).end(isKnown ? '{"healthy":true,"version":"1.18.33"}' : '');
}).listen(port, '127.0.0.1', () => console.log('opencode server listening on http://127.0.0.1:' + port));
`;
}

const begun: Server[] = [];
afterEach(async () => {
  await Promise.all(begun.splice(0).map((server) => server.stop()));
});

async function start(body: string): Promise<{ readonly server: Server; readonly starts: readonly string[] }> {
  const { program, folder } = fakeProgram(body);
  const { PATH = '' } = process.env;
  const order = {
    program,
    workspace: folder,
    folder,
    endpoint: undefined,
    env: { PATH },
  };
  const server = await startServer(order);
  begun.push(server);
  return { server, starts: readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n') };
}

const health = z.object({ version: z.string() });

test('it answers to its password and says how much memory it takes', async () => {
  const { server, starts } = await start(serving());
  expect(starts).toEqual([expect.stringMatching(/^serve --hostname 127\.0\.0\.1 --port \d+$/)]);
  expect(await server.api.get('/global/health', health)).toEqual({ version: '1.18.33' });
  const [, port] = /--port (\d+)/.exec(starts[0] ?? '') ?? [];
  expect((await fetch(`http://127.0.0.1:${port}/global/health`)).status).toBe(401);
  expect(server.memory()).toBeGreaterThan(1_000_000);
  expect(server.isGone()).toBe(false);
});

test('a port that was taken meanwhile is not asked for again', async () => {
  const taken =
    "if (start === 1) { console.error('Error: Unexpected error\\n\\nServeError'); process.exit(1); }";
  const { starts } = await start(serving(taken));
  expect(new Set(starts).size).toBe(2);
});

test('a program that ends instead is a fault with its last words, and so is one that is not there', async () => {
  await expect(start("console.error('no such option'); process.exit(3);")).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: expect.stringContaining('exit code 3 no such option') },
  });
  const order = { workspace: '/', folder: '/', endpoint: undefined, env: {} };
  await expect(startServer({ ...order, program: '/no/such/opencode' })).rejects.toMatchObject({
    code: 'agent.not_ready',
  });
});

test('one that does not end when it is asked is killed', async () => {
  const { server } = await start(serving("process.on('SIGTERM', () => undefined);"));
  await server.stop();
  expect(server.isGone()).toBe(true);
  expect(await server.gone).toContain('SIGKILL');
  expect(server.memory()).toBeUndefined();
  await server.stop();
});

test('one that dies says so', async () => {
  const { server } = await start(
    serving("setTimeout(() => { console.error('out of memory'); process.exit(9); }, 500);"),
  );
  expect(await server.gone).toMatch(/^exit code 9 .*out of memory$/s);
});
