/**
 * Tests `legion` inside a worker: a worker's own commands are allowed, and every operator command
 * is refused with an error that suggests the verb to use instead.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { worker as workerCommand } from '../../../src/cli/commands/agents/worker.ts';
import { COMMANDS } from '../../../src/cli/program/command-table.ts';
import { VERB_INSTEAD, WORKER_COMMANDS } from '../../../src/cli/program/worker-role.ts';
import { type Fixture, newWorker, openWireEdge, type WireEdge } from '../../worker-client/wire-edge.ts';
import { DAEMON_COMMANDS } from '../support/daemon-commands.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
let worker: Fixture;
let daemon: WireDaemon;
beforeAll(async () => {
  worker = newWorker('implement');
  writeLegionFile(home.repository);
  // The operator's daemon, with a token that a worker of the same user can read.
  daemon = await openWireDaemon(home.state, {});
});
afterAll(async () => {
  await daemon.close();
  worker.remove();
  home.remove();
});

/** Excludes the handoff commands, which workers may use too. */
const OPERATOR_LINES = DAEMON_COMMANDS.filter((line) => !line.startsWith('handoff '));

const inWorker = () => ({ cwd: home.repository, env: { ...home.env, ...worker.env } });
const outside = { cwd: home.repository, env: home.env };

test('refuses every operator command in a worker’s environment, and sends nothing to the daemon', async () => {
  for (const line of [
    ...OPERATOR_LINES,
    'up',
    'init',
    'doctor',
    'demo',
    'config',
    'replay x',
    'skills list',
  ]) {
    const { error, out } = await perform(inWorker(), ...line.split(' '));
    expect([line, error?.code, out]).toEqual([line, 'worker.operator_command', '']);
  }
  for (const name of Object.keys(COMMANDS)) {
    const { error } = await perform(inWorker(), 'help', name);
    expect([name, error?.code]).toEqual([
      name,
      WORKER_COMMANDS.includes(name) ? undefined : 'worker.operator_command',
    ]);
  }
  expect(daemon.heard).toEqual([]);
});

test('with --as-worker, refuses operator commands regardless of the environment', async () => {
  for (const line of OPERATOR_LINES) {
    const { error } = await perform(outside, '--as-worker', ...line.split(' '));
    expect([line, error?.code]).toEqual([line, 'worker.operator_command']);
  }
  const { error } = await perform(outside, '--as-worker', 'handoff', 'read');
  expect(error?.code).toBe('speech.not_a_worker');
  expect(daemon.heard).toEqual([]);
});

test.each([
  ['approve SHOP-1', '`legion approve` is for operators; use `legion worker ask` instead.'],
  ['issue show SHOP-1', '`legion issue` is for operators; use `legion worker issue` instead.'],
  ['issue comment SHOP-1 x', '`legion issue comment` is for operators; use `legion worker comment` instead.'],
  ['inbox', '`legion inbox` is for operators; use `legion worker ask` instead.'],
  ['prune', '`legion prune` is for operators; `legion worker --help` lists what a worker can do.'],
  ['gc', '`legion gc` is for operators; `legion worker --help` lists what a worker can do.'],
])('`legion %s` is refused, and the error shows the command to use instead', async (line, message) => {
  expect((await perform(inWorker(), ...line.split(' '))).error?.message).toBe(message);
});

test('every suggested command and verb exists', () => {
  const verbs = Object.keys(workerCommand.members);
  for (const [command, verb] of Object.entries(VERB_INSTEAD)) {
    expect(Object.keys(COMMANDS), command).toContain(command.split(' ')[0]);
    expect(verbs, command).toContain(verb);
  }
});

test('treats an environment with only some of the worker variables as a worker’s environment', async () => {
  const { LEGION_WORKER_TOKEN = '' } = worker.env;
  const env = { ...home.env, LEGION_WORKER_TOKEN };
  expect((await perform({ ...outside, env }, 'inbox')).error?.code).toBe('worker.operator_command');
});

test('lists only a worker’s commands in the help', async () => {
  const { out } = await perform(inWorker(), '--help');
  expect(out).toContain('worker');
  expect(out).toContain('mcp');
  expect(out).not.toContain('approve');
  expect((await perform(outside, '--help')).out).toContain('approve');
});

describe('a worker’s own commands', () => {
  let edge: WireEdge | undefined;
  afterEach(() => edge?.close());

  test('reach the worker’s daemon with the worker’s token, including `legion handoff`', async () => {
    edge = await openWireEdge(worker.state, ({ path }) => ({
      body: path === '/worker/handoff_read' ? { handoffs: {} } : { says: 'heard' },
    }));
    expect((await perform(inWorker(), 'handoff', 'read', '--phase', 'plan')).error).toBeUndefined();
    expect((await perform(inWorker(), 'worker', 'comment', 'hello')).error).toBeUndefined();
    expect((await perform(inWorker(), '--as-worker', 'worker', 'comment', 'hello')).error).toBeUndefined();
    expect(edge.heard.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/worker/handoff_read', 'Bearer lw1.secret-of-this-attempt'],
      ['/worker/comment', 'Bearer lw1.secret-of-this-attempt'],
      ['/worker/comment', 'Bearer lw1.secret-of-this-attempt'],
    ]);
  });
});

test('reports a misspelt operator command as a usage error', async () => {
  expect((await perform(inWorker(), 'aprove')).error?.code).toBe('usage.invalid');
});
