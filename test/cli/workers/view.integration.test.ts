/**
 * Tests `legion view` against the wire protocol: output is shown once, input reaches the worker,
 * and leaving the view does not affect the worker.
 */
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/main.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import type { LogsAnswer, WorkerView } from '../../../src/protocol/workers.ts';
import { WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { openWireDaemon, refusal, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
writeLegionFile(home.repository);
const here = { cwd: home.repository, env: home.env };
const by = userInfo().username;
afterAll(() => home.remove());

let worker: WorkerView;
/** Workers of later phases. */
let others: WorkerView[];
/** Output of each attempt. */
let output: Map<number, string>;
let answerToPrompt: unknown;
let daemon: WireDaemon;

const ANSWERS = {
  'GET /workers': () => [worker, ...others],
  'GET /workers/shop-1-test': () => others[0],
  'GET /workers/shop-1-test/logs': () => ({ ...logs(), worker: 'shop-1-test' }),
  'POST /workers/shop-1-test/prompt': () => answerToPrompt,
  'GET /workers/shop-1-implement': () => worker,
  'GET /workers/shop-1-implement/logs': () => logs(),
  'POST /workers/shop-1-implement/prompt': () => answerToPrompt,
};

beforeEach(async () => {
  worker = { ...WORKER, attempt: 1 };
  others = [];
  output = new Map();
  answerToPrompt = { delivery: 'queued', message: 3, says: 'It is busy.' };
  daemon = await openWireDaemon(home.state, ANSWERS);
});
afterEach(() => {
  vi.unstubAllEnvs();
  return daemon.close();
});

/** Returns only a few bytes at a time, so that a response may end in the middle of a line. */
function logs(): LogsAnswer {
  const { searchParams } = new URL(daemon.heard.at(-1)?.line.split(' ')[1] ?? '', 'http://wire');
  const attempt = Number(searchParams.get('attempt') ?? worker.attempt);
  const offset = Number(searchParams.get('offset'));
  const all = output.get(attempt) ?? '';
  const text = all.slice(offset, offset + 7);
  const nextOffset = offset + text.length;
  return { worker: worker.id, attempt, offset, text, nextOffset, more: nextOffset < all.length };
}

function write(attempt: number, ...lines: readonly AgentLine[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  output.set(attempt, (output.get(attempt) ?? '') + text);
}

function prompts(): readonly unknown[] {
  return daemon.heard.filter(({ line }) => line.startsWith('POST')).map(({ body }) => body);
}

test('without a terminal, prints lines until the worker has ended and reads no input', async () => {
  write(1, { type: 'text', text: 'Hello \u001b[2J there.' }, { type: 'turn_ended' });
  worker = { ...worker, status: 'finished', exit: { code: 0, signal: null, at: 1 } };
  worker = { ...worker, report: { outcome: 'done', summary: 'all built' } };
  const { out, exit } = await perform({ ...here, input: 'say this\n' }, 'view', 'SHOP-1');
  expect(exit).toBe(0);
  expect(out.split('\n')).toEqual([
    'shop-1-implement',
    '── attempt 1',
    'Hello ·[2J there.',
    '── turn ended',
    '── implement is finished: all built · next: legion explain SHOP-1',
    '',
  ]);
  expect(prompts()).toEqual([]);
});

test('fails if no daemon is running at the start', async () => {
  await daemon.close();
  const { error } = await perform(
    { ...here, env: { ...home.env, HOME: home.repository } },
    'view',
    'SHOP-1',
    'plan',
  );
  expect(error?.code).toBe('daemon.not_running');
});

test('continues with the next attempt and after a restart of the daemon, and repeats no output', async () => {
  const terminal = aTerminal();
  const ended = runCommand(['view', 'shop-1', 'implement'], terminal.context);
  write(1, { type: 'text', text: 'The first life.' });
  await terminal.shows('The first life.');
  await daemon.close();
  await terminal.shows('the daemon is unreachable');
  write(1, { type: 'text', text: 'Said meanwhile.' });
  daemon = await openWireDaemon(home.state, ANSWERS);
  await terminal.shows('the daemon is back');
  await terminal.shows('Said meanwhile.');
  write(2, { type: 'text', text: 'The second life.' });
  worker = { ...worker, attempt: 2 };
  await terminal.shows('── attempt 2');
  await terminal.shows('The second life.');
  terminal.stdin.write('/quit\r');
  expect(await ended).toBe(0);
  expect(terminal.text().split('The first life.')).toHaveLength(2);
  expect(terminal.raw.at(-1)).toBe(false);
});

test('sends typed lines to the worker in order, and "!" interrupts its turn', async () => {
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1'], terminal.context);
  await terminal.shows('implement is executing');
  terminal.stdin.write('go on\r\r  ! stop that \r!\r');
  await terminal.shows('Type the message after "!".');
  await terminal.shows('queued: It is busy.');
  await terminal.until(() => prompts().length === 2);
  expect(prompts()).toEqual([
    { text: 'go on', by, interrupt: false, onlyIfWorking: true },
    { text: 'stop that', by, interrupt: true, onlyIfWorking: true },
  ]);
  answerToPrompt = refusal(503, 'daemon.stopping', 'not now');
  terminal.stdin.write('again\r');
  await terminal.shows('The message was not sent: not now');
  terminal.stdin.write('\u0004');
  expect(await ended).toBe(0);
  expect(daemon.heard.every(({ line }) => !line.startsWith('DELETE'))).toBe(true);
});

test.each(['xterm', 'dumb'])(
  'keeps a half-typed line below the worker’s output, and sends a finished line even if the person leaves immediately: %s',
  async (TERM) => {
    // Node's readline reads TERM from the environment of the process.
    vi.stubEnv('TERM', TERM);
    const terminal = aTerminal({ TERM });
    const ended = runCommand(['view', 'SHOP-1'], terminal.context);
    await terminal.shows('implement is executing');
    terminal.stdin.write('half a sen');
    await terminal.shows('half a sen');
    terminal.forget();
    write(1, { type: 'text', text: 'Between.' });
    await terminal.shows('Between.');
    await terminal.shows('half a sen');
    terminal.stdin.write('tence\r/quit\r');
    await ended;
    expect(prompts()).toEqual([{ text: 'half a sentence', by, interrupt: false, onlyIfWorking: true }]);
  },
);

test('prints a hint on the first Ctrl-C and leaves on the second', async () => {
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1'], terminal.context);
  await terminal.shows('implement is executing');
  terminal.stdin.write('\u0003');
  await terminal.shows('Press Ctrl-C again');
  terminal.stdin.write('\u0003');
  expect(await ended).toBe(0);
});

test('at a terminal, stays with a worker that has ended, because the worker may be resumed', async () => {
  worker = { ...worker, status: 'finished', exit: { code: 0, signal: null, at: 1 } };
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1'], terminal.context);
  await terminal.shows('implement is finished');
  worker = { ...worker, attempt: 2, status: 'executing' };
  await terminal.shows('── attempt 2');
  terminal.interrupt();
  expect(await ended).toBe(0);
});

test('follows the issue to its next worker, which then gets the typed lines', async () => {
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1'], terminal.context);
  await terminal.shows('implement is executing');
  worker = { ...worker, status: 'finished', exit: { code: 0, signal: null, at: 1 } };
  await terminal.shows('implement is finished');
  others = [{ ...WORKER, id: 'shop-1-test', mode: 'test', attempt: 1, startedAt: WORKER.startedAt + 1 }];
  await terminal.shows('── shop-1-test');
  await terminal.shows('test is executing');
  terminal.stdin.write('look at the dates\r');
  await terminal.shows('queued: It is busy.');
  terminal.stdin.write('/quit\r');
  expect(await ended).toBe(0);
  const sent = daemon.heard.filter(({ line }) => line.startsWith('POST')).map(({ line }) => line);
  expect(sent).toEqual([expect.stringContaining('/workers/shop-1-test/prompt')]);
});

test('follows only the worker of the given mode', async () => {
  worker = { ...worker, status: 'finished', exit: { code: 0, signal: null, at: 1 } };
  others = [{ ...WORKER, id: 'shop-1-test', mode: 'test', attempt: 1, startedAt: WORKER.startedAt + 1 }];
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1', 'implement'], terminal.context);
  await terminal.shows('implement is finished');
  worker = { ...worker, attempt: 2, status: 'executing' };
  await terminal.shows('── attempt 2');
  expect(terminal.text()).not.toContain('shop-1-test');
  terminal.interrupt();
  expect(await ended).toBe(0);
});

test('ends if the daemon was stopped', async () => {
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1', 'implement', '--leave-after', '60'], terminal.context);
  await terminal.shows('implement is executing');
  rmSync(join(home.state, 'daemon.json'));
  expect(await ended).toBe(0);
  expect(terminal.text()).toContain('the daemon was stopped, so this view ends');
});

test('in a window, waits for a daemon that is starting, and exits a while after the worker has ended', async () => {
  await daemon.close();
  const terminal = aTerminal();
  const ended = runCommand(['view', 'SHOP-1', 'implement', '--leave-after', '1'], terminal.context);
  await terminal.shows('the daemon is unreachable');
  daemon = await openWireDaemon(home.state, ANSWERS);
  await terminal.shows('implement is executing');
  worker = { ...worker, status: 'stopped' };
  expect(await ended).toBe(0);
  expect(terminal.text()).toContain('implement is stopped');
  expect(terminal.text()).toContain('this window closes automatically when it is not visible');
});

function aTerminal(more: Readonly<Record<string, string>> = {}) {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 24 });
  const interruption = new AbortController();
  let text = '';
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  const context: CommandContext = {
    ...here,
    env: { ...here.env, ...more },
    stdin,
    stdout,
    stderr: new PassThrough(),
    signal: interruption.signal,
  };
  async function until(so: () => boolean): Promise<void> {
    for (let look = 0; !so(); look += 1) {
      if (look > 4_000) throw new Error(`the expected output never appeared: ${text.slice(-2_000)}`);
      await sleep(5);
    }
  }
  return {
    context,
    stdin,
    raw,
    until,
    interrupt: () => interruption.abort(),
    text: () => text,
    forget: () => {
      text = '';
    },
    shows: (words: string) => until(() => text.includes(words)),
  };
}
