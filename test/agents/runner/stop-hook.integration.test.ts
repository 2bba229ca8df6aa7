/** What an agent is told that is about to end its turn, and the script that tells it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeHookScript } from '../../../src/driving/hook-script.ts';
import { REMINDER } from '../../../src/driving/next-prompt.ts';
import { stopHookAnswer } from '../../../src/driving/stop-hook.ts';
import { ASKED_FLAG, DONE_FLAG } from '../../../src/protocol/outbox.ts';
import { markAsked } from '../../../src/speech/last-word.ts';
import { scratchFolder } from './scratch-folder.ts';

const REMINDED = { decision: 'block', reason: REMINDER };

test('a worker without a last word is told twice, and then let go', async () => {
  const outbox = join(scratchFolder(), 'outbox');
  expect(await stopHookAnswer(outbox)).toEqual(REMINDED);
  expect(await stopHookAnswer(outbox)).toEqual(REMINDED);
  expect(await stopHookAnswer(outbox)).toEqual({});
});

test.each([DONE_FLAG, ASKED_FLAG])('one that has said its last word is let go at once: %s', async (flag) => {
  const outbox = scratchFolder();
  writeFileSync(join(outbox, flag), '');
  expect(await stopHookAnswer(outbox)).toEqual({});
});

test('a question the daemon has is a last word', async () => {
  const outbox = join(scratchFolder(), 'outbox');
  await markAsked(outbox);
  expect(await stopHookAnswer(outbox)).toEqual({});
});

test('where the count cannot be kept nobody is told without end', async () => {
  const outbox = scratchFolder();
  mkdirSync(join(outbox, 'reminded'));
  expect(await stopHookAnswer(outbox)).toEqual({});
});

test('the script hands its arguments on as they are, whatever is in them', () => {
  const folder = join(scratchFolder(), `it's a $(folder)`);
  mkdirSync(folder);
  const words = ["it's", '$(id)', 'two words', '"', '\\'];
  const command = writeHookScript(folder, ['/usr/bin/printf', '%s\\n', ...words]);
  const out = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
  expect(out.trimEnd().split('\n')).toEqual(words);
  expect(statSync(join(folder, 'stop-hook.sh')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, 'stop-hook.sh'), 'utf8')).toMatch(/^#!\/bin\/sh\nexec /);
});
