/** The ways into a real daemon over its whole life: restarts, kills, a second daemon, a path that is too long. */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readDaemonAddress } from '../../src/cli/daemon-address.ts';
import { daemonClient } from '../../src/cli/daemon-client.ts';
import { workerTokens } from '../../src/daemon/context/worker-tokens.ts';
import { adminEndpoints } from '../../src/protocol/endpoints/admin.ts';
import { ask, codeOf } from '../http/ask.ts';
import { login } from '../http/browser.ts';
import { type TestLegion, testLegion } from '../support/running-daemon.ts';
import { type RunningApart, startApart } from '../support/running-process.ts';

let legions: TestLegion[] = [];
let running: RunningApart[] = [];
afterEach(async () => {
  for (const each of running) await each.kill();
  for (const each of legions) each.dispose();
  [legions, running] = [[], []];
});

async function newLegion(yaml = ''): Promise<TestLegion> {
  const legion = await testLegion({ yaml });
  legions.push(legion);
  return legion;
}

async function start(legion: Pick<TestLegion, 'repository' | 'state' | 'environment'>) {
  const apart = await startApart(legion);
  running.push(apart);
  return { ...apart, port: Number(new URL(apart.url).port) };
}

async function health(state: string): Promise<number> {
  const client = daemonClient(state, new AbortController().signal);
  return (await client.call(adminEndpoints.health)).pid;
}

test('a restart replaces the operator’s token, and keeps browsers logged in and workers known', async () => {
  const legion = await newLegion(`port: ${await freePort()}\n`);
  const first = await start(legion);
  const browser = await login(first);
  const secret = readFileSync(join(legion.state, 'worker-secret'), 'utf8').trim();
  const worker = workerTokens(secret).tokenFor({ issue: 'DEMO-1', mode: 'implement', attempt: 1 });
  await first.stop();

  const second = await start(legion);
  expect(second.token).not.toBe(first.token);
  expect(codeOf(await ask(second, 'GET /health', { token: first.token }))).toBe('http.unauthorised');
  expect((await ask(second, 'GET /health')).status).toBe(200);
  expect((await browser.ask('GET /session')).status).toBe(200);
  // Known as a worker, although the journal has no such attempt.
  const said = await ask(second, 'POST /worker/push', { token: worker, body: {} });
  expect(codeOf(said)).toBe('worker.attempt_over');
});

test('a client that was there before a restart knows the new token', async () => {
  const legion = await newLegion();
  const client = daemonClient(legion.state, new AbortController().signal);
  const before = await start(legion);
  const { pid } = await client.call(adminEndpoints.health);
  await before.stop();
  await start(legion);
  expect((await client.call(adminEndpoints.health)).pid).not.toBe(pid);
});

test('the socket of a daemon that was killed is taken over by the next one', async () => {
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

test('of two daemons at once one leads, and its token and socket stay as they are', async () => {
  const legion = await newLegion();
  const both = await Promise.allSettled([start(legion), start(legion)]);
  const [leader] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [refused] = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(refused).toContain('daemon.running');
  for (let more = 0; more < 2; more += 1) await expect(start(legion)).rejects.toThrow('daemon.running');
  expect(readFileSync(join(legion.state, 'token'), 'utf8').trim()).toBe(leader?.token);
  expect(await health(legion.state)).toBeGreaterThan(0);
});

test('a state folder whose path is too long for a socket has it in the runtime folder, at every start', async () => {
  const name = 'a'.repeat(80);
  const legion = await newLegion(`legion: ${name}\n`);
  const state = join(legion.folder, 'state/legion/legions', name);
  const runtime = join(legion.folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const place = { ...legion, state, environment: { ...legion.environment, XDG_RUNTIME_DIR: runtime } };
  const first = await start(place);
  const { socket } = readDaemonAddress(state);
  expect(socket.startsWith(join(runtime, 'legion'))).toBe(true);
  // Wherever a command runs, it is told where the socket is.
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
