/**
 * Tests a daemon that shows its workers in a real tmux. Windows open, show output and close, but no
 * work depends on them.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HealthView } from '../../src/protocol/status.ts';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { createTmuxTerminals } from '../../src/terminals/tmux-terminals.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { findProgram, skipWithoutProgram } from '../support/required-program.ts';
import { createTestLegion, type RunningDaemon, type TestLegion, until } from '../support/running-daemon.ts';
import { type PrivateServer, privateServer } from '../terminals/private-server.ts';

const { PATH = '' } = process.env;
const SESSION = 'legion-demo-controller';
const TEXT = 'Rhododendron; kill-server #(id)';
/** Scripts only the plan phase, because the issue begins in Todo. */
const PLANS = [
  { mode: 'plan', attempt: 1, steps: [{ say: 'I think about it.' }, { think: '60s' }] },
  { mode: 'plan', steps: [{ say: 'I go on.' }, { think: '60s' }] },
];

let server: PrivateServer;
let legion: TestLegion;
let running: RunningDaemon | undefined;
beforeEach(() => {
  server = privateServer();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await server.dispose();
  // A skipped test has created no legion.
  await legion?.endWorkers();
  legion?.dispose();
});

async function begin(
  agents: string,
  environment: Readonly<Record<string, string>> = {},
  scenario: readonly object[] = PLANS,
): Promise<RunningDaemon> {
  legion = await createTestLegion({ environment: { ...server.environment, ...environment }, scenario });
  const plays = join(legion.folder, 'scenario.json');
  // Shortens the grace period, because a worker that is thinking would not read the request to stop
  // anyway.
  legion.reconfigure(
    `agents: { default: { agent: scripted, model: ${plays} }, ${agents} }\nhealth: { stop_grace: 2s }\n`,
  );
  running = await legion.start();
  return running;
}

async function plan(client: RunningDaemon, status = 'Todo'): Promise<string> {
  const { id } = await client.post<{ id: string }>('/issues', { title: TEXT, body: TEXT, status });
  await until(
    () => workers(client),
    (all) => all.some(({ pid }) => pid !== undefined),
  );
  return id;
}

const workers = (client: RunningDaemon) => client.get<readonly WorkerView[]>('/workers');
const windowsAre = (...names: string[]) =>
  until(
    async () => server.windows(),
    (open) => open.join() === names.map((name) => `${SESSION}:${name}`).join(),
  );

test('shows a worker in a window: the worker receives typed text and outlives the window, the tmux server and the daemon', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const client = await begin('plan: { view: tmux }');
  const id = await plan(client);
  await windowsAre(`plan-${id.toLowerCase()}`);
  const target = `${SESSION}:plan-${id.toLowerCase()}`;
  await server.shows(target, 'I think about it.');
  await server.shows(target, 'plan is executing');

  server.tmux('send-keys', '-t', target, '-l', 'mind the gap');
  server.tmux('send-keys', '-t', target, 'Enter');
  await server.shows(target, 'queued:');
  const queued = (await client.events()).filter(({ type }) => type === 'message.queued');
  expect(queued).toMatchObject([
    { to: `${id}-plan`.toLowerCase(), body: expect.stringContaining('mind the gap') },
  ]);

  const [before] = await workers(client);
  await client.post('/restart');
  await client.stop();
  await server.shows(target, 'the daemon is unreachable');
  running = await legion.start();
  await server.shows(target, 'the daemon is back');
  await windowsAre(`plan-${id.toLowerCase()}`);

  await server.end();
  const [after] = await workers(running);
  expect([after?.attempt, after?.pid, after?.status]).toEqual([1, before?.pid, 'executing']);
  expect((await running.get<HealthView>('/health')).troubles).toEqual([]);
  // A restarted daemon shows live workers again.
  await running.stop();
  running = await legion.start();
  await windowsAre(`plan-${id.toLowerCase()}`);
  await server.shows(target, 'I think about it.');
  expect((await workers(running))[0]?.pid).toBe(before?.pid);
});

test('leaves no view in a window when the daemon is stopped', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const client = await begin('plan: { view: tmux }');
  const id = await plan(client);
  const name = `plan-${id.toLowerCase()}`;
  await windowsAre(name);
  await server.shows(`${SESSION}:${name}`, 'I think about it.');
  // A person's own session, in which they started a view by hand.
  const variables = Object.entries(legion.environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const view = [process.execPath, LAUNCHER, 'view', id, '--legion', 'demo'];
  server.tmux('new-session', '-d', '-s', 'desk', '-n', 'mine', ...variables, '--', ...view);
  await server.shows('desk:mine', 'I think about it.');
  const pids = server.tmux('list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number);
  expect(pids).toHaveLength(2);

  await client.stop();
  await until(
    async () => [...server.windows(), ...pids.filter((pid) => existsSync(`/proc/${pid}`))],
    (left) => left.length === 0,
    5_000,
  );
  running = await legion.start();
  await windowsAre(name);
});

test('passes no issue text and no token on a tmux command line', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const { folder, told } = tellingTmux();
  const client = await begin('plan: { view: tmux }', {
    PATH: `${folder}:${PATH}`,
    GH_TOKEN: 'gh-secret',
  });
  const id = await plan(client);
  await windowsAre(`plan-${id.toLowerCase()}`);
  await server.shows(`${SESSION}:plan-${id.toLowerCase()}`, 'I think about it.');
  const calls = readFileSync(told, 'utf8');
  expect(calls).toContain(`plan-${id.toLowerCase()}`);
  for (const secret of ['Rhododendron', client.token, 'gh-secret']) expect(calls).not.toContain(secret);
});

test('opens windows only for workers in a mode with `view: tmux`', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const client = await begin('implement: { view: tmux }', {}, [
    { mode: 'plan', steps: [{ handoff: { summary: 'three steps' } }, { done: 'planned' }] },
    { mode: 'implement', steps: [{ say: 'I build it.' }, { think: '60s' }] },
  ]);
  const id = await plan(client);
  await windowsAre(`implement-${id.toLowerCase()}`);
  await server.shows(`${SESSION}:implement-${id.toLowerCase()}`, 'I build it.');
});

test('keeps every worker running if tmux is missing, and reports how to fix it', async () => {
  const bare = privateBin('node', 'git', 'sh', 'env');
  const client = await begin('plan: { view: tmux }', { PATH: bare }, [
    { mode: 'plan', steps: [{ handoff: { summary: 'three steps' } }, { done: 'planned' }] },
    { mode: 'implement', steps: [{ think: '60s' }] },
  ]);
  const id = await plan(client);
  await until(
    () => workers(client),
    (all) => all.some(({ mode }) => mode === 'implement'),
  );
  const { troubles } = await client.get<HealthView>('/health');
  expect(troubles).toMatchObject([
    { code: 'view.unavailable', message: 'tmux is not installed, or not on the PATH' },
  ]);
  expect((await workers(client)).find(({ mode }) => mode === 'plan')?.status).toBe('finished');
  expect(id).not.toBe('');
});

test('closes a window after its worker has ended, but not while a person watches it', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const client = await begin('plan: { view: none }');
  const id = await plan(client);
  const views = createTmuxTerminals({
    legion: 'demo',
    shortId: undefined,
    environment: legion.environment,
    closesAfterS: 1,
    file: { path: join(legion.repository, 'legion.yaml'), named: true },
    launcher: [process.execPath, LAUNCHER],
  });
  await views.open({ issue: id, mode: 'plan' });
  const target = `${SESSION}:plan-${id.toLowerCase()}`;
  await server.shows(target, 'plan is executing');
  // A second server acts as the terminal of a person who watches.
  const person = privateServer();
  try {
    const looking = ['-e', `TMUX_TMPDIR=${server.folder}`, 'env', '-u', 'TMUX'];
    person.tmux('new-session', '-d', '-s', 'desk', ...looking, 'tmux', 'attach-session', '-t', `=${SESSION}`);
    await until(
      async () => server.tmux('list-clients'),
      (clients) => clients !== '',
    );
    await client.request('DELETE', `/workers/${id}-plan?by=ada`);
    await server.shows(target, 'plan is stopping');
    await server.shows(target, 'plan is stopped');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(server.windows()).toEqual([target]);
  } finally {
    await person.dispose();
  }
  await until(
    async () => server.windows(),
    (open) => open.length === 0,
  );
});

/** Creates a directory with a wrapper around the real tmux that records each call. */
function tellingTmux(): { readonly folder: string; readonly told: string } {
  const folder = join(server.folder, 'bin');
  const told = join(folder, 'told');
  mkdirSync(folder);
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${told}'\nexec ${programPath('tmux')} "$@"\n`;
  writeFileSync(join(folder, 'tmux'), script);
  chmodSync(join(folder, 'tmux'), 0o755);
  return { folder, told };
}

function privateBin(...programs: readonly string[]): string {
  const folder = join(server.folder, 'bare');
  mkdirSync(folder);
  for (const program of programs) symlinkSync(programPath(program), join(folder, program));
  return folder;
}

function programPath(name: string): string {
  const found = findProgram(name);
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return found;
}
