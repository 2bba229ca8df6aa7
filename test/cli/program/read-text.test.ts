/**
 * Tests reading the text of an option from a file or standard input: it must be complete and valid
 * UTF-8.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/program/define-command.ts';
import { readGivenText } from '../../../src/cli/read-text.ts';
import { NEVER_ABORTED } from '../../../src/lib/async/abortable.ts';
import { scratchFolder } from '../../agents/runner/scratch-folder.ts';

function read(path: string, stdin: Buffer = Buffer.alloc(0), cwd = scratchFolder()): Promise<string> {
  const context = { cwd, stdin: Readable.from([stdin]), signal: NEVER_ABORTED } as unknown as CommandContext;
  return readGivenText('--file', path, context);
}

test('reads a file and standard input', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'text.md'), 'grüße');
  expect(await read('text.md', Buffer.alloc(0), folder)).toBe('grüße');
  expect(await read('-', Buffer.from('grüße'))).toBe('grüße');
});

test('refuses text that is not UTF-8', async () => {
  await expect(read('-', Buffer.from([0xff, 0xfe, 0x41]))).rejects.toMatchObject({ code: 'input.invalid' });
});

test('refuses more than a megabyte', async () => {
  const reading = read('-', Buffer.alloc(1_024 * 1_024 + 1, 'x'));
  await expect(reading).rejects.toMatchObject({ code: 'http.body_too_large' });
});

test.each([
  ['missing.md', 'does not exist'],
  ['.', 'is a folder, expected a file'],
])('reports a file that cannot be read: %s', async (path, problem) => {
  await expect(read(path)).rejects.toMatchObject({
    code: 'usage.file_unreadable',
    message: expect.stringContaining(problem),
  });
});
