/** Plays what agents do wrong. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { MISBEHAVIOUR } from '../scenario/forms/misbehaviour.ts';
import type { Performers } from './performers.ts';
import { reportDone } from './speak.ts';
import type { Turn } from './turn.ts';

/** Longer than every limit of health; where nobody watches, even this one must end some day. */
const HANG_MOST_MS = 6 * 3_600_000;
/** Busy without a pause would not even hear the signal to end. */
const BUSY_SLICE_MS = 20;

/** What broken agents have been seen to print: halves, other formats, bytes, JSON of somebody else. */
const GARBAGE: readonly string[] = [
  '{"type":"text","text":"cut in the mid',
  'Segmentation fault (core dumped)',
  '\u001b[31m\u0000\u0007\ufffd\u001b[0m',
  '[]',
  'null',
  '{"type":"unheard of"}',
  '{"type":"usage","in":"many","out":-1}',
];

export const misbehaviour: Performers<keyof typeof MISBEHAVIOUR> = {
  async crash(how) {
    if (typeof how === 'number') return { code: how, abrupt: true };
    process.kill(process.pid, how);
    // The signal is on its way, and nothing may happen before it is there.
    await sleep(HANG_MOST_MS);
    return { code: 1, abrupt: true };
  },
  async exit(code) {
    return { code };
  },
  async hang(how, turn) {
    await (how === 'silent' ? sleep(HANG_MOST_MS, undefined, { signal: turn.signal }) : beBusy(turn));
    return { code: 1, abrupt: true };
  },
  async lie(input, turn) {
    await reportDone(turn, input);
  },
  async lose_session(_input, turn) {
    turn.loseSession();
  },
  async ignore_term(_input, turn) {
    turn.deafen();
  },
  async escape(ms, turn) {
    // A session of its own, out of reach of whoever signals the group, and with our output in its hands.
    const child = spawn('sleep', [String(ms / 1_000)], {
      cwd: '/',
      env: turn.env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await once(child, 'spawn');
    child.unref();
    turn.emit({ type: 'text', text: `escaped: process ${child.pid}` });
  },
  flood: ({ bytes, one_line }, turn) => flood(turn.stdout, bytes, one_line),
  async rate_limited({ reset_in }, turn) {
    turn.emit({
      type: 'rate_limited',
      ...(reset_in === undefined ? {} : { reset_at: Date.now() + reset_in }),
    });
  },
  async garbage({ lines }, turn) {
    for (let line = 0; line < lines; line += 1) turn.stdout.write(`${GARBAGE[line % GARBAGE.length]}\n`);
  },
};

async function beBusy({ signal }: Turn): Promise<void> {
  const until = performance.now() + HANG_MOST_MS;
  while (performance.now() < until) {
    const slice = performance.now() + BUSY_SLICE_MS;
    while (performance.now() < slice);
    await nextTurn(undefined, { signal });
  }
}

const HEAD = '{"type":"text","text":"';
const TAIL = '"}\n';
/** Bytes of one line among many. */
const LINE_BYTES = 4_096;
/** Bytes handed over at once. */
const CHUNK_BYTES = 65_536;

/** Writes more than anybody wants to read: exactly as many bytes as asked for. */
async function flood(stdout: Writable, bytes: number, oneLine: boolean): Promise<void> {
  if (oneLine) return line(stdout, bytes);
  let left = bytes;
  // The last line takes the rest, so that no remainder is too short to be a line.
  for (; left >= 2 * LINE_BYTES; left -= LINE_BYTES) await line(stdout, LINE_BYTES);
  await line(stdout, left);
}

/** In pieces, so that the line is nowhere in memory as a whole. */
async function line(stdout: Writable, bytes: number): Promise<void> {
  await write(stdout, HEAD);
  for (let left = bytes - HEAD.length - TAIL.length; left > 0; left -= CHUNK_BYTES) {
    await write(stdout, 'x'.repeat(Math.min(left, CHUNK_BYTES)));
  }
  await write(stdout, TAIL);
}

/** A reader that is slow sets the pace; one that is gone ends the whole process. */
async function write(stdout: Writable, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}
