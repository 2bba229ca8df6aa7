/** Plays the steps of a misbehaving agent. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { MISBEHAVIOUR_STEPS } from '../scenario/steps.ts';
import type { ScriptedTurn, StepPerformers } from './turn.ts';
import { reportDone } from './verbs.ts';

/** Longer than every health limit, but finite in case no daemon supervises the process. */
const MAX_HANG_MS = 6 * 3_600_000;
/**
 * Length of a busy period between two pauses. A loop without pauses would never receive the signal
 * to exit.
 */
const BUSY_SLICE_MS = 20;

/** Output seen from broken agents: truncated JSON, other formats, raw bytes, unrelated JSON. */
const GARBAGE_LINES: readonly string[] = [
  '{"type":"text","text":"cut in the mid',
  'Segmentation fault (core dumped)',
  '\u001b[31m\u0000\u0007\ufffd\u001b[0m',
  '[]',
  'null',
  '{"type":"unheard of"}',
  '{"type":"usage","in":"many","out":-1}',
];

export const misbehaviourPerformers: StepPerformers<keyof typeof MISBEHAVIOUR_STEPS> = {
  async crash(ending) {
    if (typeof ending === 'number') return { code: ending, abrupt: true };
    process.kill(process.pid, ending);
    // The signal is on its way; do nothing until it arrives.
    await sleep(MAX_HANG_MS);
    return { code: 1, abrupt: true };
  },
  async exit(code) {
    return { code };
  },
  async hang(manner, turn) {
    await (manner === 'silent' ? sleep(MAX_HANG_MS, undefined, { signal: turn.signal }) : runBusyLoop(turn));
    return { code: 1, abrupt: true };
  },
  async lie(input, turn) {
    await reportDone(turn, input);
  },
  async lose_session(_input, turn) {
    turn.loseSession();
  },
  async ignore_term(_input, turn) {
    turn.ignoreTermination();
  },
  async escape(ms, turn) {
    // Runs in its own session, out of reach of signals to the group, and keeps our output open.
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
  flood: ({ bytes, one_line }, turn) => writeFlood(turn.stdout, bytes, one_line),
  async rate_limited({ reset_in }, turn) {
    turn.emit({
      type: 'rate_limited',
      ...(reset_in === undefined ? {} : { reset_at: Date.now() + reset_in }),
    });
  },
  async garbage({ lines }, turn) {
    for (let line = 0; line < lines; line += 1)
      turn.stdout.write(`${GARBAGE_LINES[line % GARBAGE_LINES.length]}\n`);
  },
};

async function runBusyLoop({ signal }: ScriptedTurn): Promise<void> {
  const until = performance.now() + MAX_HANG_MS;
  while (performance.now() < until) {
    const slice = performance.now() + BUSY_SLICE_MS;
    while (performance.now() < slice);
    await nextTurn(undefined, { signal });
  }
}

const FLOOD_LINE_HEAD = '{"type":"text","text":"';
const FLOOD_LINE_TAIL = '"}\n';
/** Bytes per line. */
const LINE_BYTES = 4_096;
/** Bytes per write. */
const CHUNK_BYTES = 65_536;

/** Floods the output with exactly the requested number of bytes. */
async function writeFlood(stdout: Writable, bytes: number, oneLine: boolean): Promise<void> {
  if (oneLine) return writeFloodLine(stdout, bytes);
  let left = bytes;
  // The last line includes the remaining bytes, which might be too few for a line of their own.
  for (; left >= 2 * LINE_BYTES; left -= LINE_BYTES) await writeFloodLine(stdout, LINE_BYTES);
  await writeFloodLine(stdout, left);
}

/** Writes in chunks, so that the whole line is never in memory. */
async function writeFloodLine(stdout: Writable, bytes: number): Promise<void> {
  await writeWithBackpressure(stdout, FLOOD_LINE_HEAD);
  for (let left = bytes - FLOOD_LINE_HEAD.length - FLOOD_LINE_TAIL.length; left > 0; left -= CHUNK_BYTES) {
    await writeWithBackpressure(stdout, 'x'.repeat(Math.min(left, CHUNK_BYTES)));
  }
  await writeWithBackpressure(stdout, FLOOD_LINE_TAIL);
}

/** Waits for a slow reader. If the reader has closed the output, the process ends. */
async function writeWithBackpressure(stdout: Writable, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}
