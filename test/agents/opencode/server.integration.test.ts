/** Tests that a server listens on its own port, requires a password, and is always ended. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type OpencodeServer, startServer } from '../../../src/agents/opencode/server.ts';
import { fakeProgram } from './fake-program.ts';

/**
 * Imitates the parts of `opencode serve` that a driver uses. The code in `before` runs first, and
 * the variable `start` tells it how many times the program was started.
 */
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

const begun: OpencodeServer[] = [];
afterEach(async () => {
  await Promise.all(begun.splice(0).map((server) => server.stop()));
});

async function start(
  body: string,
): Promise<{ readonly server: OpencodeServer; readonly starts: readonly string[] }> {
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

test('requires its password and reports its memory use', async () => {
  const { server, starts } = await start(serving());
  expect(starts).toEqual([expect.stringMatching(/^serve --hostname 127\.0\.0\.1 --port \d+$/)]);
  expect(await server.api.get('/global/health', health)).toEqual({ version: '1.18.33' });
  const [, port] = /--port (\d+)/.exec(starts[0] ?? '') ?? [];
  expect((await fetch(`http://127.0.0.1:${port}/global/health`)).status).toBe(401);
  expect(server.readMemory()).toBeGreaterThan(1_000_000);
  expect(server.isGone()).toBe(false);
});

test('tries another port if the first port has been taken in the meantime', async () => {
  const taken =
    "if (start === 1) { console.error('Error: Unexpected error\\n\\nServeError'); process.exit(1); }";
  const { starts } = await start(serving(taken));
  expect(new Set(starts).size).toBe(2);
});

test('reports a missing program, and a program that exits during its start (with its last output)', async () => {
  await expect(start("console.error('no such option'); process.exit(3);")).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('exit code 3 no such option'),
  });
  const order = { workspace: '/', folder: '/', endpoint: undefined, env: {} };
  await expect(startServer({ ...order, program: '/no/such/opencode' })).rejects.toMatchObject({
    code: 'agent.not_ready',
  });
});

test('kills a server that does not exit when asked', async () => {
  const { server } = await start(serving("process.on('SIGTERM', () => undefined);"));
  await server.stop();
  expect(server.isGone()).toBe(true);
  expect(await server.gone).toContain('SIGKILL');
  expect(server.readMemory()).toBeUndefined();
  await server.stop();
});

test('reports a server that crashes', async () => {
  const { server } = await start(
    serving("setTimeout(() => { console.error('out of memory'); process.exit(9); }, 500);"),
  );
  expect(await server.gone).toMatch(/^exit code 9 .*out of memory$/s);
});
