/**
 * Tests `legion watch` at a terminal: it takes over the screen, follows events, and restores the
 * screen however it ends.
 */
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { watchScreen } from '../../../src/cli/commands/daemon/watch/screen.ts';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { HEALTH, INBOX, ISSUE, WORKER } from '../support/answers.ts';
import { newHome } from '../support/home.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?25h\u001b[?1049l';

const home = newHome();
afterAll(() => home.remove());

let issues = [ISSUE];
const ANSWERS = {
  'GET /health': HEALTH,
  'GET /issues': () => issues,
  'GET /workers': [WORKER],
  'GET /inbox': [INBOX],
};
let daemon: WireDaemon;
beforeEach(async () => {
  issues = [ISSUE];
  daemon = await openWireDaemon(home.state, ANSWERS);
});
afterEach(() => daemon.close());

test('shows the board, follows events, and restores the terminal on q', async () => {
  const terminal = aTerminal();
  const watched = watchScreen(home.state, terminal.context);
  await terminal.shows('Sell ·[2Jtea');
  expect(terminal.text().startsWith(ENTER)).toBe(true);
  expect(terminal.raw).toEqual([true]);
  await terminal.shows('implement #2 executing');
  await terminal.shows('SHOP-1 question');

  issues = [{ ...ISSUE, status: 'Testing', column: 'Testing' }];
  daemon.happen({ seq: 8, at: 1_000, type: 'decision.made' });
  await terminal.shows('Testing');
  await terminal.shows('decision made');
  terminal.stdin.write('q');
  await watched;
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
  expect(terminal.raw).toEqual([true, false]);
});

test('reports an unreachable daemon, reconnects, and restores the terminal on a signal', async () => {
  const terminal = aTerminal();
  const watched = watchScreen(home.state, terminal.context);
  await terminal.shows('Sell');
  await daemon.close();
  await terminal.shows('daemon unreachable');
  daemon = await openWireDaemon(home.state, ANSWERS);
  terminal.forget();
  await terminal.shows('1 waiting for you');
  terminal.interrupt();
  await watched;
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
});

test('reads the board once for many events, and never more than four times a second', async () => {
  const terminal = aTerminal();
  const watched = watchScreen(home.state, terminal.context);
  await terminal.shows('Sell');
  const before = daemon.heard.filter(({ line }) => line === 'GET /issues').length;
  for (let seq = 8; seq < 208; seq += 1) daemon.happen({ seq, at: 1_000, type: 'intent.opened' });
  daemon.happen({ seq: 208, at: 1_000, type: 'the.last_one' });
  await terminal.shows('the last one');
  expect(daemon.heard.filter(({ line }) => line === 'GET /issues').length - before).toBeLessThanOrEqual(4);
  terminal.stdin.write('\u0003');
  await watched;
});

test('fails without changing the screen if no daemon is running at the start', async () => {
  const terminal = aTerminal();
  const nowhere = watchScreen(`${home.state}-none`, terminal.context);
  await expect(nowhere).rejects.toMatchObject({ code: 'daemon.not_running' });
  expect(terminal.text()).toBe('');
});

function aTerminal() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => raw.push(on) });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 24 });
  const interruption = new AbortController();
  let text = '';
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  const context: CommandContext = {
    cwd: home.repository,
    env: home.env,
    stdin,
    stdout,
    stderr: new PassThrough(),
    signal: interruption.signal,
  };
  return {
    context,
    stdin,
    raw,
    interrupt: () => interruption.abort(),
    text: () => text,
    forget: () => {
      text = '';
    },
    async shows(words: string): Promise<void> {
      for (let look = 0; !text.includes(words); look += 1) {
        if (look > 1_000) throw new Error(`the screen never showed ${words}: ${text.slice(-2_000)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}
