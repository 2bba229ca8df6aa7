/** Tests the Stop hook's decision and the script that runs the hook. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeHookScript } from '../../../src/agents/runner/equipment.ts';
import { decideStopHook, REMINDER } from '../../../src/agents/runner/reminders.ts';
import { DONE_FLAG, QUESTION_FLAG } from '../../../src/protocol/outbox.ts';
import { markAsked } from '../../../src/worker-client/outbox.ts';
import { scratchFolder } from './scratch-folder.ts';

const REMINDED = { decision: 'block', reason: REMINDER };

test('reminds a worker without a final report twice, then lets it stop', async () => {
  const outbox = join(scratchFolder(), 'outbox');
  expect(await decideStopHook(outbox, undefined)).toEqual(REMINDED);
  expect(await decideStopHook(outbox, undefined)).toEqual(REMINDED);
  expect(await decideStopHook(outbox, undefined)).toEqual({});
});

test.each([DONE_FLAG, QUESTION_FLAG])(
  'lets a worker with a final report stop immediately: %s',
  async (flag) => {
    const outbox = scratchFolder();
    writeFileSync(join(outbox, flag), '');
    expect(await decideStopHook(outbox, undefined)).toEqual({});
  },
);

test('treats a question that has reached the daemon as a final report', async () => {
  const outbox = join(scratchFolder(), 'outbox');
  await markAsked(outbox);
  expect(await decideStopHook(outbox, undefined)).toEqual({});
});

test('lets a worker that was asked to stop end its turn without a report', async () => {
  const folder = scratchFolder();
  const messages = join(folder, 'messages');
  mkdirSync(messages);
  expect(await decideStopHook(join(folder, 'outbox'), messages)).toEqual(REMINDED);
  writeFileSync(join(messages, 'stop-request.json'), '{}');
  expect(await decideStopHook(join(folder, 'outbox'), messages)).toEqual({});
});

test('sends no reminders if the number of reminders sent cannot be stored', async () => {
  const outbox = scratchFolder();
  mkdirSync(join(outbox, 'reminded'));
  expect(await decideStopHook(outbox, undefined)).toEqual({});
});

test('the script passes its arguments on unchanged', () => {
  const folder = join(scratchFolder(), `it's a $(folder)`);
  mkdirSync(folder);
  const words = ["it's", '$(id)', 'two words', '"', '\\'];
  const command = writeHookScript(folder, ['/usr/bin/printf', '%s\\n', ...words]);
  const out = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
  expect(out.trimEnd().split('\n')).toEqual(words);
  expect(statSync(join(folder, 'stop-hook.sh')).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(folder, 'stop-hook.sh'), 'utf8')).toMatch(/^#!\/bin\/sh\nexec /);
});
