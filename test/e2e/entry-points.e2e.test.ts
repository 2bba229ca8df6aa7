/**
 * Tests the entry points of a real daemon across restarts, kills, a second daemon and a socket path
 * that is too long.
 */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readDaemonAddress } from '../../src/cli/daemon-address.ts';
import { createDaemonClient } from '../../src/cli/daemon-client.ts';
import { createWorkerTokens } from '../../src/daemon/context/worker-tokens.ts';
import { adminEndpoints } from '../../src/protocol/endpoints/admin.ts';
import { ask, codeOf } from '../http/ask.ts';
import { login } from '../http/browser.ts';
import { createTestLegion, type TestLegion } from '../support/running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from '../support/running-process.ts';

let legions: TestLegion[] = [];
let running: RunningProcess[] = [];
afterEach(async () => {
  for (const each of running) await each.kill();
  for (const each of legions) each.dispose();
  [legions, running] = [[], []];
});

async function newLegion(yaml = ''): Promise<TestLegion> {
  const legion = await createTestLegion({ yaml });
  legions.push(legion);
  return legion;
}

async function start(legion: Pick<TestLegion, 'repository' | 'state' | 'environment'>) {
  const apart = await startDaemonProcess(legion);
  running.push(apart);
  return { ...apart, port: Number(new URL(apart.url).port) };
}

async function health(state: string): Promise<number> {
  const client = createDaemonClient(state, new AbortController().signal);
  return (await client.call(adminEndpoints.health)).pid;
}

test('replaces the operator’s token on restart, but keeps browser logins and worker tokens valid', async () => {
  const legion = await newLegion(`port: ${await freePort()}\n`);
  const first = await start(legion);
  const browser = await login(first);
  const secret = readFileSync(join(legion.state, 'worker-secret'), 'utf8').trim();
  const worker = createWorkerTokens(secret).createToken({ issue: 'DEMO-1', mode: 'implement', attempt: 1 });
  await first.stop();

  const second = await start(legion);
  expect(second.token).not.toBe(first.token);
  expect(codeOf(await ask(second, 'GET /health', { token: first.token }))).toBe('http.unauthorised');
  expect((await ask(second, 'GET /health')).status).toBe(200);
  expect((await browser.ask('GET /session')).status).toBe(200);
  // The token is accepted as a worker's token, although the journal has no record of its attempt.
  const said = await ask(second, 'POST /worker/push', { token: worker, body: {} });
  expect(codeOf(said)).toBe('worker.attempt_over');
});

test('a client that was created before a restart reads the new token', async () => {
  const legion = await newLegion();
  const client = createDaemonClient(legion.state, new AbortController().signal);
  const before = await start(legion);
  const { pid } = await client.call(adminEndpoints.health);
  await before.stop();
  await start(legion);
  expect((await client.call(adminEndpoints.health)).pid).not.toBe(pid);
});

test('takes over the socket of a killed daemon', async () => {
  const legion = await newLegion();
  const first = await start(legion);
  const socket = join(legion.state, 'daemon.sock');
  expect(readDaemonAddress(legion.state).socket).toBe(socket);
  await first.kill();
  expect(lstatSync(socket).isSocket()).toBe(true);
  await expect(health(legion.state)).rejects.toMatchObject({ code: 'daemon.not_running' });
  await start(legion);
  expect(await health(legion.state)).toBeGreaterThan(0);
});

test("if two daemons start concurrently, lets only one lead; the other does not change the leader's token or socket", async () => {
  const legion = await newLegion();
  const both = await Promise.allSettled([start(legion), start(legion)]);
  const [leader] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [refused] = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(refused).toContain('daemon.running');
  for (let more = 0; more < 2; more += 1) await expect(start(legion)).rejects.toThrow('daemon.running');
  expect(readFileSync(join(legion.state, 'token'), 'utf8').trim()).toBe(leader?.token);
  expect(await health(legion.state)).toBeGreaterThan(0);
});

test('if the state path is too long, puts the socket in the runtime directory at every start', async () => {
  const name = 'a'.repeat(80);
  const legion = await newLegion(`legion: ${name}\n`);
  const state = join(legion.folder, 'state/legion/legions', name);
  const runtime = join(legion.folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const place = { ...legion, state, environment: { ...legion.environment, XDG_RUNTIME_DIR: runtime } };
  const first = await start(place);
  const { socket } = readDaemonAddress(state);
  expect(socket.startsWith(join(runtime, 'legion'))).toBe(true);
  // Commands read the socket's path from the state directory.
  const pid = await health(state);
  await first.kill();
  await start(place);
  expect(readDaemonAddress(state).socket).toBe(socket);
  expect(await health(state)).not.toBe(pid);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
