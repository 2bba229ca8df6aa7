/**
 * Tests the port that `legion init` writes: each legion has its own port and keeps it across
 * restarts, so that the dashboard's session stays valid.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readDaemonAddress } from '../../../src/cli/daemon-address.ts';
import { login } from '../../http/browser.ts';
import { listen } from '../../http/listener.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const file = join(home.repository, 'legion.yaml');
makeRepository(home.repository);
afterEach(async () => {
  await perform(here, 'down');
  rmSync(file, { force: true });
});
afterAll(() => home.remove());

describe('the port that `legion init` writes', () => {
  test('is free, fixed and outside the range that the system uses for outgoing connections', async () => {
    const { legion, port } = await initIn(home.repository);
    expect(legion).toBe('shop');
    expect(port).toBeGreaterThanOrEqual(14_000);
    expect(port).toBeLessThan(32_768);
    await listening(port, async () => undefined);
  });

  test('stays the same when init writes the file again', async () => {
    const { port } = await initIn(home.repository);
    expect((await initIn(home.repository, '--force')).port).toBe(port);
  });

  test('differs from another legion’s port, even if the folders of both legions have the same name', async () => {
    const { port } = await initIn(home.repository);
    const second = join(home.folder, 'elsewhere', 'shop');
    makeRepository(second);
    const other = await initIn(second);
    expect(other.legion).toBe('shop-2');
    expect(other.port).not.toBe(port);
    // Legion remembers the path of each legion.yaml, so it also avoids a port that a person has set
    // in such a file.
    expect(
      JSON.parse(readFileSync(join(home.folder, '.local/state/legion/legion-files.json'), 'utf8')),
    ).toEqual([file, join(second, 'legion.yaml')]);
  });

  test('is the port given with --port, if that option is used', async () => {
    expect((await initIn(home.repository, '--port', '4000')).port).toBe(4_000);
    expect((await initIn(home.repository, '--force', '--port', '0')).port).toBe(0);
  });
});

describe('a daemon with a fixed port', () => {
  test('keeps its address, browser sessions and event streams across `restart` and across `down` and `up`', async () => {
    const port = await startAtFixedPort();
    const door = { port, token: readDaemonAddress(home.state).token };
    const { cookie, key } = await login(door);
    const headers = { cookie, 'x-legion-key': key, 'sec-fetch-site': 'same-origin' };
    const before = await listen({ port }, '/events', headers);
    expect(before.status).toBe(200);

    for (const commands of [['restart'], ['down', 'up']]) {
      for (const command of commands) expect((await perform(here, command)).error, command).toBeUndefined();
      expect(readDaemonAddress(home.state).file.url).toBe(`http://127.0.0.1:${port}`);
      await before.ended;
      const after = await listen({ port }, '/events', headers);
      expect(after.status, commands.join(' and ')).toBe(200);
      const { out } = await perform(here, 'issue', 'add', 'Sell tea', '--status', 'icebox', '--json');
      await after.until(1);
      expect(after.frames.join('\n')).toContain(JSON.parse(out).id);
      after.leave();
    }
  });

  test('if its port is taken, reports the port and the process that listens on it', async () => {
    const port = await fixedPort();
    await listening(port, async () => {
      const { error } = await perform(here, 'up');
      expect(error?.code).toBe('http.port_taken');
      expect(error?.message).toMatch(
        new RegExp(
          `^Port ${port} on 127\\.0\\.0\\.1 is already in use by pid ${process.pid} \\(.*node.*\\)\\.$`,
        ),
      );
      expect(error?.fault.next).toContain('set another `port` in legion.yaml');
    });
  });

  test('if another legion uses its port, reports that legion', async () => {
    const port = await startAtFixedPort();
    const { error } = await perform(here, 'up', '--legion', 'tea');
    expect(error).toMatchObject({
      code: 'http.port_taken',
      message: `Port ${port} on 127.0.0.1 is already in use by the legion shop (pid ${readDaemonAddress(home.state).file.pid}).`,
    });
  });
});

async function initIn(cwd: string, ...args: string[]): Promise<{ legion: string; port: number }> {
  const { error } = await perform({ ...here, cwd }, 'init', '--agent', 'codex', ...args);
  expect(error).toBeUndefined();
  return parse(readFileSync(join(cwd, 'legion.yaml'), 'utf8'));
}

async function startAtFixedPort(): Promise<number> {
  const port = await fixedPort();
  expect((await perform(here, 'up')).error).toBeUndefined();
  return port;
}

/**
 * Lets `init` choose a port, writes that port to the file of a legion that needs no agent, and
 * returns the port.
 */
async function fixedPort(): Promise<number> {
  const { port } = await initIn(home.repository);
  writeLegionFile(home.repository);
  writeFileSync(file, readFileSync(file, 'utf8').replace('port: 0', `port: ${port}`));
  return port;
}

async function listening(port: number, work: () => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  await work();
  await new Promise((resolve) => server.close(resolve));
}
