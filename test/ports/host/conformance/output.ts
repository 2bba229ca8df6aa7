/**
 * Tests that output is readable from any offset, completely and in bounded chunks, whatever bytes
 * it contains.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { Host, NewProcess, OutputChunk } from '../../../../src/ports/host.ts';
import { refusal } from '../../journal/refusal.ts';
import { randomFrom, SEED } from '../random.ts';
import { exitOf, order, readAll } from '../workers.ts';
import type { HostHarness, Present } from './host-under-test.ts';

const LARGEST_CHUNK = 256 * 1024;
const FLOOD_BYTES = 20_000_000;
/** Enough for a few chunks of output and the test's own data, but far less than the whole output. */
const FLAT_BYTES = 2_000_000;
/** Number of chunks between two memory checks. Each check collects garbage first. */
const LOOK_EVERY = 20;

export function output(present: Present): void {
  describe('output', () => {
    for (const [what, bytes] of Object.entries(HOSTILE_BYTES)) {
      test(`with ${what} is read completely, with offsets that count bytes`, async () => {
        const { host, worker } = await wrote(present(), bytes);
        const chunks = await chunksOf(host, worker);
        // Not toEqual, which would print megabytes on failure.
        expect(chunks.map(({ text }) => text).join('') === bytes.toString('utf8')).toBe(true);
        expect(chunks.at(-1)?.nextOffset ?? 0).toBe(bytes.length);
        expect(Math.max(0, ...chunks.map(({ text }) => text.length))).toBeLessThanOrEqual(LARGEST_CHUNK);
      });
    }

    test(`any bytes are read as the same text, whichever chunk the reader resumes after (LEGION_SEED=${SEED})`, async () => {
      const random = randomFrom(SEED);
      const pieces = ['a', '\n', 'é', '€', '🚀', '\uFEFF'].map((text) => Buffer.from(text));
      const bytes = Buffer.concat(
        Array.from({ length: 120_000 }, () => {
          const piece = pieces[Math.floor(random() * pieces.length)] ?? Buffer.of();
          // One piece in ten is cut off or replaced by a random byte.
          if (random() < 0.9) return piece;
          return random() < 0.5 ? piece.subarray(0, 1) : Buffer.of(Math.floor(random() * 256));
        }),
      );
      const { host, worker } = await wrote(present(), bytes);
      const whole = bytes.toString('utf8');
      const chunks = await chunksOf(host, worker);
      expect(chunks.map(({ text }) => text).join('') === whole).toBe(true);
      let before = '';
      for (const { text, nextOffset } of chunks) {
        before += text;
        expect(before + (await readAll(host, worker, nextOffset)) === whole).toBe(true);
      }
    });

    test('holds back an incomplete character until the rest arrives', async () => {
      const { open, workspace } = present();
      const host = await open();
      const go = join(workspace, 'go');
      const worker = order(
        workspace,
        'printf "a\\342\\202"; echo written >&2; while [ ! -e "$1" ]; do sleep 0.02; done; printf "\\254z"',
        { arguments: [go] },
      );
      const process = await host.start(worker);
      while ((await readAll(host, worker, 0, 'err')) === '');
      expect(await chunksOf(host, worker)).toEqual([{ text: 'a', nextOffset: 1 }]);
      writeFileSync(go, '');
      await exitOf(host, process);
      expect(await chunksOf(host, worker, 1)).toEqual([{ text: '€z', nextOffset: 5 }]);
    });

    test(`of ${FLOOD_BYTES / 1_000_000} MB is read in constant memory`, async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, `head -c ${FLOOD_BYTES} /dev/zero | tr "\\0" x`);
      await exitOf(host, await host.start(worker));
      let length = 0;
      let pieces = 0;
      let most = 0;
      const before = inUse();
      for await (const { text } of host.output(worker.worker, 1, 0)) {
        length += text.length;
        pieces += 1;
        if (pieces % LOOK_EVERY === 0) most = Math.max(most, inUse());
      }
      expect(length).toBe(FLOOD_BYTES);
      expect(most - before).toBeLessThan(FLAT_BYTES);
    });

    test('is empty for an offset at or beyond the end', async () => {
      const { host, worker } = await wrote(present(), Buffer.from('text'));
      expect(await chunksOf(host, worker, 4)).toEqual([]);
      expect(await chunksOf(host, worker, 1_000_000)).toEqual([]);
    });

    test('findLineNearEnd returns the start of a line; if the last line is too long, it returns an offset inside that line', async () => {
      const { host, worker } = await wrote(present(), Buffer.from('one\ntwo\nthree\n'));
      const begins = (bytes: number) => host.findLineNearEnd(worker.worker, 1, bytes);
      const asked = [1_000, 14, 13, 10, 9, 6, 5, 1];
      expect(await Promise.all(asked.map(begins))).toEqual([0, 0, 4, 4, 8, 8, 9, 13]);
      expect(await host.findLineNearEnd(worker.worker, 1, 5, 'err')).toBe(0);
    });

    test('findLineNearEnd does not split a character inside a long line', async () => {
      const { host, worker } = await wrote(present(), Buffer.from(`a${'🚀'.repeat(250_000)}`));
      const offset = await host.findLineNearEnd(worker.worker, 1, 499_999);
      expect(offset).toBe(500_005);
      expect(/^🚀+$/u.test(await readAll(host, worker, offset))).toBe(true);
    });

    test(`findLineNearEnd returns the start of the first whole line, whatever the line lengths (LEGION_SEED=${SEED})`, async () => {
      const random = randomFrom(SEED);
      const lines = Array.from({ length: 60 }, () => 'x'.repeat(Math.floor(random() ** 4 * 200_000)));
      const text = lines.join('\n');
      const { host, worker } = await wrote(present(), Buffer.from(text));
      for (let turn = 0; turn < 200; turn += 1) {
        const bytes = 1 + Math.floor(random() * (text.length + 10));
        const from = Math.max(0, text.length - bytes);
        const found = from === 0 ? 0 : 1 + text.slice(0, -1).indexOf('\n', from - 1);
        expect([bytes, await host.findLineNearEnd(worker.worker, 1, bytes)]).toEqual([
          bytes,
          from > 0 && found === 0 ? from : found,
        ]);
      }
    });

    test('of an attempt that was never started causes an error instead of being returned as empty', async () => {
      const host = await present().open();
      const never = order('/', '');
      expect(await refusal(readAll(host, never))).toMatchObject({ code: 'host.no_attempt' });
      const end = host.findLineNearEnd(never.worker, never.attempt, 10);
      expect(await refusal(end)).toMatchObject({ code: 'host.no_attempt' });
    });

    test('findLineNearEnd refuses an invalid number of bytes', async () => {
      const { host, worker } = await wrote(present(), Buffer.from('text'));
      for (const bytes of [0, -1, 0.5, Number.NaN]) {
        expect(await refusal(host.findLineNearEnd(worker.worker, 1, bytes))).toMatchObject({
          code: 'input.invalid',
        });
      }
    });

    test('is refused for an invalid offset', async () => {
      const { host, worker } = await wrote(present(), Buffer.from('text'));
      for (const offset of [-1, 0.5, Number.NaN]) {
        expect(await refusal(readAll(host, worker, offset))).toMatchObject({ code: 'input.invalid' });
      }
    });
  });
}

const HOSTILE_BYTES: Readonly<Record<string, Buffer>> = {
  'no bytes': Buffer.of(),
  'a NUL': Buffer.from('before\0after'),
  'every byte': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  'invalid UTF-8': Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xe2, 0x82, 0x62, 0xf0, 0x9f, 0x80, 0x80, 0x80]),
  'half a character at the end': Buffer.from([0x61, 0xf0, 0x9f, 0x9a]),
  'a byte order mark': Buffer.from('\uFEFFtext'),
  'a line of 5 MB': Buffer.concat([Buffer.alloc(5_000_000, 'x'), Buffer.from('\nnext\n')]),
  'a megabyte of four-byte characters, one byte off': Buffer.from(`a${'🚀'.repeat(250_000)}`),
};

async function wrote({ open, workspace }: HostHarness, bytes: Buffer) {
  const host = await open();
  const source = join(workspace, 'source');
  writeFileSync(source, bytes);
  const worker = order(workspace, 'exec cat "$1"', { arguments: [source] });
  await exitOf(host, await host.start(worker));
  return { host, worker };
}

async function chunksOf(host: Host, { worker, attempt }: NewProcess, offset = 0): Promise<OutputChunk[]> {
  const chunks: OutputChunk[] = [];
  for await (const chunk of host.output(worker, attempt, offset)) chunks.push(chunk);
  return chunks;
}

function inUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
