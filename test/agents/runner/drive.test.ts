/**
 * Tests a session across several turns: the reason for each turn, the end of the session, and the
 * reports.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { AgentDialect, AgentSessionOptions, TurnEnd } from '../../../src/agents/runner/dialect.ts';
import { type DriverOptions, runDriver } from '../../../src/agents/runner/drive.ts';
import { REMINDER } from '../../../src/agents/runner/reminders.ts';
import { readRecordTime } from '../../../src/agents/runner/session-record.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { DONE_FLAG } from '../../../src/protocol/outbox.ts';
import { MESSAGES_VARIABLE } from '../../../src/protocol/worker-message.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Plays one turn. Receives the turn's prompt and its interrupt signal. */
type Turn = (prompt: string, interrupt: AbortSignal, place: Place) => Promise<TurnEnd> | TurnEnd;

interface Place {
  readonly home: string;
  readonly outbox: string;
  readonly letters: string;
}

interface Played {
  readonly code: number | undefined;
  readonly error: unknown;
  readonly lines: readonly unknown[];
  readonly prompts: readonly string[];
  readonly orders: readonly AgentSessionOptions[];
  readonly closed: number;
  readonly place: Place;
}

const ENDED: TurnEnd = { how: 'ended' };
const STARTED = { type: 'started', session: 'native-1' };

interface Options {
  readonly order?: Partial<DriverOptions>;
  readonly env?: Readonly<Record<string, string>>;
  readonly place?: Place;
  readonly reminders?: AgentDialect['reminders'];
  readonly signal?: AbortSignal;
}

/** Plays `turns` in order and repeats the last one indefinitely. */
async function played(turns: readonly Turn[], options: Options = {}): Promise<Played> {
  const { order = {}, env = {}, place = newPlace(), reminders = 'driver' } = options;
  const prompts: string[] = [];
  const orders: AgentSessionOptions[] = [];
  let closed = 0;
  const dialect: AgentDialect = {
    reminders,
    open: async (given, emit) => {
      orders.push(given);
      return {
        async runTurn(prompt, interrupt) {
          const turn = turns[prompts.length] ?? turns.at(-1);
          prompts.push(prompt);
          emit({ type: 'started', session: 'native-1' });
          return turn?.(prompt, interrupt, place) ?? ENDED;
        },
        close: async () => {
          closed += 1;
        },
      };
    },
  };
  const stdout = new PassThrough({ highWaterMark: 1_000_000 });
  const world = {
    env: { ...workerEnvironment(place), ...env },
    cwd: '/workspace',
    stdin: Readable.from(['the prompt']),
    stdout,
    signal: options.signal ?? new AbortController().signal,
    equipment: {
      mcp: { command: 'legion', args: [] },
      stopHook: ['legion'],
      skills: '/s',
      rules: 'r',
    } as const,
  };
  const usual = { session: 's-1', isResumed: false, native: undefined, model: undefined };
  const full = { ...usual, endpoint: undefined, program: 'agent', home: place.home, ...order };
  const ended = await runDriver(full, dialect, world).then(
    (code) => ({ code, error: undefined }),
    (error: unknown) => ({ code: undefined, error }),
  );
  stdout.end();
  const lines = (await text(stdout)).split('\n').filter((line) => line !== '');
  return { ...ended, lines: lines.map((line) => JSON.parse(line)), prompts, orders, closed, place };
}

function newPlace(): Place {
  const root = scratchFolder();
  const place = { home: join(root, 'home'), outbox: join(root, 'out'), letters: join(root, 'letters') };
  for (const folder of Object.values(place)) mkdirSync(folder);
  return place;
}

function workerEnvironment({ outbox, letters }: Place): Record<string, string> {
  return {
    LEGION_WORKER: 'demo-1-implement',
    LEGION_ISSUE: 'DEMO-1',
    LEGION_MODE: 'implement',
    LEGION_PHASE: 'implement',
    LEGION_PURPOSE: 'start',
    LEGION_ATTEMPT: '1',
    LEGION_WORKER_TOKEN: 'token',
    LEGION_STATE: '/state',
    LEGION_OUTBOX: outbox,
    [MESSAGES_VARIABLE]: letters,
  };
}

function put({ letters }: Place, id: string, interrupt: boolean): void {
  writeFileSync(join(letters, `${id}.json`), JSON.stringify({ id, text: `letter ${id}`, interrupt }));
}

const reports: Turn = (_prompt, _interrupt, { outbox }) => {
  writeFileSync(join(outbox, DONE_FLAG), '');
  return ENDED;
};

test('a worker that reports in its first turn gets no second turn', async () => {
  const { code, lines, prompts, closed } = await played([reports]);
  expect({ code, prompts, closed }).toEqual({ code: 0, prompts: ['the prompt'], closed: 1 });
  expect(lines).toEqual([STARTED, { type: 'turn_ended' }]);
});

test('reminds a silent worker twice, then leaves it to the health check', async () => {
  const { code, prompts } = await played([() => ENDED]);
  expect(code).toBe(0);
  expect(prompts).toEqual(['the prompt', REMINDER, REMINDER]);
});

test('does not remind an agent that sends its own reminders', async () => {
  const { prompts } = await played([() => ENDED], { reminders: 'agent' });
  expect(prompts).toEqual(['the prompt']);
});

test('messages that arrive during a turn are put at the start of the next turn, each exactly once', async () => {
  const first: Turn = (_prompt, _interrupt, place) => {
    put(place, '2', false);
    put(place, '1', false);
    return ENDED;
  };
  const { lines, prompts } = await played([first, reports]);
  expect(prompts).toEqual(['the prompt', 'letter 1\n\nletter 2']);
  const heard = ['1', '2'].map((letter) => ({ type: 'heard', letter }));
  expect(lines).toEqual([STARTED, { type: 'turn_ended' }, ...heard, STARTED, { type: 'turn_ended' }]);
});

test('a message that arrives after the final report starts no turn', async () => {
  const { prompts } = await played([
    (prompt, interrupt, place) => {
      put(place, '1', false);
      return reports(prompt, interrupt, place);
    },
  ]);
  expect(prompts).toEqual(['the prompt']);
});

test('an urgent message interrupts the turn', async () => {
  const cut: Turn = async (_prompt, interrupt, place) => {
    put(place, '1', true);
    await new Promise((resolve) => interrupt.addEventListener('abort', resolve));
    return { how: 'interrupted' };
  };
  const { lines, prompts } = await played([cut, reports]);
  expect(prompts).toEqual(['the prompt', 'letter 1']);
  expect(lines[1]).toEqual({ type: 'turn_ended', interrupted: true });
});

test('a worker that was asked to stop gets one turn to end, without reminders', async () => {
  const cut: Turn = async (_prompt, interrupt, place) => {
    put(place, 'stop-request', true);
    await new Promise((resolve) => interrupt.addEventListener('abort', resolve));
    return { how: 'interrupted' };
  };
  const { code, lines, prompts } = await played([cut, () => ENDED]);
  expect(code).toBe(0);
  expect(prompts).toEqual(['the prompt', 'letter stop-request']);
  expect(lines).toContainEqual({ type: 'heard', letter: 'stop-request' });
});

test('exits if the quota is exhausted, and reports the reset time so that the work can be retried later', async () => {
  const limited = await played([() => ({ how: 'rate limited', resetAt: 1_700_000_000_000 })]);
  expect(limited).toMatchObject({ code: 75, closed: 1 });
  expect(limited.lines.at(-1)).toEqual({ type: 'rate_limited', reset_at: 1_700_000_000_000 });
  const { lines } = await played([() => ({ how: 'rate limited' })]);
  expect(lines.at(-1)).toEqual({ type: 'rate_limited' });
});

test('writes a fault to the output and throws it', async () => {
  const { error, lines, closed } = await played([
    () => Promise.reject(new LegionError('agent.failed', 'in its own words')),
  ]);
  expect(error).toMatchObject({ code: 'agent.failed' });
  expect(lines.at(-1)).toEqual({ type: 'error', code: 'agent.failed', message: 'in its own words' });
  expect(closed).toBe(1);
});

test('a requested exit is not a fault, even if it causes an error', async () => {
  const end = new AbortController();
  const { error, lines, closed } = await played(
    [
      async () => {
        end.abort(new Error('told to end'));
        throw new LegionError('agent.failed', 'cut short');
      },
    ],
    { signal: end.signal },
  );
  expect(error).toMatchObject({ message: 'told to end' });
  expect(lines).toEqual([STARTED]);
  expect(closed).toBe(1);
});

test("refuses to start a session twice, continues it under the agent's own id, and refuses to continue an unknown session", async () => {
  const { place } = await played([reports]);
  expect(await readRecordTime(place.home, 's-1')).toEqual({ at: expect.any(Number) });
  const again = await played([reports], { place });
  expect(again.error).toMatchObject({ code: 'agent.session_taken' });
  const onwards = await played([reports], { place, order: { isResumed: true } });
  expect(onwards.orders).toMatchObject([{ native: 'native-1', isResumed: true, workspace: '/workspace' }]);
  const nobody = await played([reports], { order: { isResumed: true } });
  expect(nobody.error).toMatchObject({ code: 'agent.session_unknown' });
  expect(nobody.orders).toEqual([]);
});

test('leaves no record of a session that the agent never started', async () => {
  const place = newPlace();
  const { error } = await played([], { place, env: { LEGION_WORKER_TOKEN: '' } });
  expect(error).toMatchObject({ code: 'speech.not_a_worker' });
  expect(await readRecordTime(place.home, 's-1')).toBe('missing');
});

test("passes its environment to the agent, except Legion's module cache", async () => {
  const { orders, place } = await played([reports], { env: { NODE_COMPILE_CACHE: '/ours', MORE: 'x' } });
  expect(orders[0]?.env).toEqual({ ...workerEnvironment(place), MORE: 'x' });
});
