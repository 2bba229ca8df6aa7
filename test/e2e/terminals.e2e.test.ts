/** A daemon that shows its workers in a real tmux: windows come, speak and go, and nothing depends on them. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HealthView, WorkerView } from '../../src/protocol/operator.ts';
import { tmuxViews } from '../../src/views/tmux/tmux-views.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { type Running, type TestLegion, testLegion, until } from '../support/running-daemon.ts';
import { type PrivateServer, privateServer } from '../terminals/private-server.ts';

const { PATH = '' } = process.env;
const SESSION = 'legion-demo-controller';
const TEXT = 'Rhododendron; kill-server #(id)';
/** Every phase but the one that is looked at is left alone: the issue begins in Todo. */
const PLANS = [
  { mode: 'plan', attempt: 1, steps: [{ say: 'I think about it.' }, { think: '60s' }] },
  { mode: 'plan', steps: [{ say: 'I go on.' }, { think: '60s' }] },
];

let server: PrivateServer;
let legion: TestLegion;
let running: Running | undefined;
beforeEach(() => {
  server = privateServer();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await server.dispose();
  await legion.endWorkers();
  legion.dispose();
});

async function begin(
  agents: string,
  environment: Readonly<Record<string, string>> = {},
  scenario: readonly object[] = PLANS,
): Promise<Running> {
  legion = await testLegion({ environment: { ...server.environment, ...environment }, scenario });
  const plays = join(legion.folder, 'scenario.json');
  // A worker that is thinking hears nothing; the default grace period would only take time.
  legion.reconfigure(
    `agents: { default: { agent: scripted, model: ${plays} }, ${agents} }\nhealth: { stop_grace: 2s }\n`,
  );
  running = await legion.start();
  return running;
}

async function plan(door: Running, status = 'Todo'): Promise<string> {
  const { id } = await door.post<{ id: string }>('/issues', { title: TEXT, body: TEXT, status });
  await until(
    () => workers(door),
    (all) => all.some(({ pid }) => pid !== undefined),
  );
  return id;
}

const workers = (door: Running) => door.get<readonly WorkerView[]>('/workers');
const windowsAre = (...names: string[]) =>
  until(
    async () => server.windows(),
    (open) => open.join() === names.map((name) => `${SESSION}:${name}`).join(),
  );

test('a worker is shown, hears what is typed into its window, and outlives window, server and daemon', async () => {
  const door = await begin('plan: { view: tmux }');
  const id = await plan(door);
  await windowsAre(`plan-${id}`);
  const target = `${SESSION}:plan-${id}`;
  await server.shows(target, 'I think about it.');
  await server.shows(target, 'plan is executing');

  server.tmux('send-keys', '-t', target, '-l', 'mind the gap');
  server.tmux('send-keys', '-t', target, 'Enter');
  await server.shows(target, 'queued:');
  const queued = (await door.events()).filter(({ type }) => type === 'message.queued');
  expect(queued).toMatchObject([
    { to: `${id}-plan`.toLowerCase(), body: expect.stringContaining('mind the gap') },
  ]);

  const [before] = await workers(door);
  await door.stop();
  await server.shows(target, 'the daemon is away');
  running = await legion.start();
  await server.shows(target, 'the daemon is back');
  await windowsAre(`plan-${id}`);

  await server.end();
  const [after] = await workers(running);
  expect([after?.attempt, after?.pid, after?.status]).toEqual([1, before?.pid, 'executing']);
  expect((await running.get<HealthView>('/health')).troubles).toEqual([]);
  // Whoever is alive at a start is shown again.
  await running.stop();
  running = await legion.start();
  await windowsAre(`plan-${id}`);
  await server.shows(target, 'I think about it.');
  expect((await workers(running))[0]?.pid).toBe(before?.pid);
});

test('no text of an issue and no token is on a command line of tmux', async () => {
  const { folder, told } = tellingTmux();
  const door = await begin('plan: { view: tmux }', {
    PATH: `${folder}:${PATH}`,
    GH_TOKEN: 'gh-secret',
  });
  const id = await plan(door);
  await windowsAre(`plan-${id}`);
  await server.shows(`${SESSION}:plan-${id}`, 'I think about it.');
  const calls = readFileSync(told, 'utf8');
  expect(calls).toContain(`plan-${id}`);
  for (const secret of ['Rhododendron', door.token, 'gh-secret']) expect(calls).not.toContain(secret);
});

test('only modes with `view: tmux` are shown', async () => {
  const door = await begin('implement: { view: tmux }', {}, [
    { mode: 'plan', steps: [{ handoff: { summary: 'three steps' } }, { done: 'planned' }] },
    { mode: 'implement', steps: [{ say: 'I build it.' }, { think: '60s' }] },
  ]);
  const id = await plan(door);
  await windowsAre(`implement-${id}`);
  await server.shows(`${SESSION}:implement-${id}`, 'I build it.');
});

test('without tmux every worker goes on, and the trouble says what to do', async () => {
  const bare = privateBin('node', 'git', 'sh', 'env');
  const door = await begin('plan: { view: tmux }', { PATH: bare }, [
    { mode: 'plan', steps: [{ handoff: { summary: 'three steps' } }, { done: 'planned' }] },
    { mode: 'implement', steps: [{ think: '60s' }] },
  ]);
  const id = await plan(door);
  await until(
    () => workers(door),
    (all) => all.some(({ mode }) => mode === 'implement'),
  );
  const { troubles } = await door.get<HealthView>('/health');
  expect(troubles).toMatchObject([
    { code: 'view.unavailable', message: 'tmux is not installed, or not on the PATH' },
  ]);
  expect((await workers(door)).find(({ mode }) => mode === 'plan')?.status).toBe('finished');
  expect(id).not.toBe('');
});

test('a window closes by itself after its worker has ended, but not while somebody looks at it', async () => {
  const door = await begin('plan: { view: none }');
  const id = await plan(door);
  const views = tmuxViews({
    ...{ legion: 'demo', shortId: undefined, environment: legion.environment, closesAfterS: 1 },
    file: { path: join(legion.repository, 'legion.yaml'), named: true },
    launcher: [process.execPath, LAUNCHER],
  });
  await views.open({ issue: id, mode: 'plan' });
  const target = `${SESSION}:plan-${id}`;
  await server.shows(target, 'plan is executing');
  // A second server is the terminal of somebody who looks.
  const person = privateServer();
  try {
    const looking = ['-e', `TMUX_TMPDIR=${server.folder}`, 'env', '-u', 'TMUX'];
    person.tmux('new-session', '-d', '-s', 'desk', ...looking, 'tmux', 'attach-session', '-t', `=${SESSION}`);
    await until(
      async () => server.tmux('list-clients'),
      (clients) => clients !== '',
    );
    await door.request('DELETE', `/workers/${id}-plan?by=ada`);
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

/** A folder with the real tmux behind a program that writes down each call. */
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
  const folders = PATH.split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not on the PATH`);
  return found;
}
