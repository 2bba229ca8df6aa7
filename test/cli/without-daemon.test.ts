/** What commands say when no daemon answers: never a stack, always what to do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { daemonClient } from '../../src/cli/daemon-client.ts';
import { healthSchema } from '../../src/protocol/operator.ts';
import { DAEMON_COMMANDS } from './daemon-commands.ts';
import { newHome, writeLegionFile } from './home.ts';
import { perform } from './in-process.ts';
import { legionIn } from './legion.ts';
import { announce } from './wire-daemon.ts';

/** Above every process number of Linux. */
const NOBODY = 4_194_305;

const home = newHome();
const here = { cwd: home.repository, env: home.env };
beforeAll(() => writeLegionFile(home.repository));
afterAll(() => home.remove());

test('every command that needs a daemon says that none runs', async () => {
  for (const line of DAEMON_COMMANDS) {
    const { error, out } = await perform(here, ...line.split(' '));
    expect(error?.code, line).toBe('daemon.not_running');
    expect(out, line).toBe('');
  }
  const { code, stderr } = await legionIn(here, 'status');
  expect(code).toBe(1);
  expect(stderr).toBe(
    `legion: no daemon has its address in ${home.state} [daemon.not_running]\nStart it with \`legion up\`.\n`,
  );
});

test('the legion is the one of the next legion.yaml upwards, unless a flag names another', async () => {
  const below = join(home.repository, 'src', 'deep');
  mkdirSync(below, { recursive: true });
  const messages = await Promise.all(
    [
      perform({ ...here, cwd: below }, 'inbox'),
      perform({ ...here, cwd: below }, 'inbox', '--legion', 'other'),
      perform({ ...here, cwd: '/' }, 'inbox', '--config', join(home.repository, 'legion.yaml')),
    ].map(async (outcome) => (await outcome).error?.message.split('/').at(-1)),
  );
  expect(messages).toEqual(['shop', 'other', 'shop']);
});

test('a configuration that is wrong is said with its place', async () => {
  const file = join(home.folder, 'wrong.yaml');
  writeFileSync(file, 'legion: shop\nworkers: 3\n');
  const { error } = await perform(here, 'status', '--config', file);
  expect(error?.code).toBe('config.invalid');
  expect(error?.message).toContain(`${file}:2:1: unknown key "workers"`);
});

describe('an address that leads nowhere', () => {
  const address = { legion: 'shop', startedAt: 1, version: '0.1.0' };
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  test('of a daemon that is gone', async () => {
    announce(home.state, { ...address, url: 'http://127.0.0.1:1', pid: NOBODY });
    expect((await perform(here, 'status')).error).toMatchObject({
      code: 'daemon.not_running',
      message: `the daemon with pid ${NOBODY} that was at http://127.0.0.1:1 is gone`,
    });
  });

  test('of a daemon that lives and does not answer there', async () => {
    announce(home.state, { ...address, url: 'http://127.0.0.1:1', pid: process.pid });
    expect((await perform(here, 'status')).error?.code).toBe('daemon.unreachable');
  });

  test('of a daemon that hangs', async () => {
    const port = await listening(() => undefined);
    announce(home.state, { ...address, url: `http://127.0.0.1:${port}`, pid: process.pid });
    const client = daemonClient(home.state, new AbortController().signal);
    const asked = client.request('GET', '/health', healthSchema, { timeoutMs: 50 });
    await expect(asked).rejects.toMatchObject({ code: 'daemon.unreachable' });
    await expect(asked).rejects.toThrow(/GET \/health was not answered within 0.05 s/);
  });

  test('of something else that answers', async () => {
    const port = await listening((answer) => answer.end('<html>hello</html>'));
    announce(home.state, { ...address, url: `http://127.0.0.1:${port}`, pid: process.pid });
    expect((await perform(here, 'inbox')).error?.code).toBe('daemon.answer_unknown');
  });

  test('in a file that is no address', async () => {
    writeFileSync(join(home.state, 'daemon.json'), '{"pid": "seven"}');
    expect((await perform(here, 'inbox')).error?.code).toBe('daemon.state_unusable');
  });

  async function listening(answer: (response: { end(text: string): void }) => void): Promise<number> {
    const server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push({
      close() {
        server.closeAllConnections();
        server.close();
      },
    });
    return (server.address() as AddressInfo).port;
  }
});
