/** The dashboard of a clone: built by a process of its own, and found where it was built. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPages } from '../../../src/cli/build-pages.ts';
import { pagesFolder } from '../../../src/cli/pages-folder.ts';

/** A build that finds something to do, on a busy machine. */
const BUILD_MS = 90_000;

const { PATH = '' } = process.env;

test(
  'a clone has it after it was built, and building it again changes nothing',
  async () => {
    const { signal } = new AbortController();
    await buildPages({ PATH }, signal);
    const folder = pagesFolder();
    expect(existsSync(join(folder ?? '', 'index.html'))).toBe(true);
    await buildPages({ PATH }, signal);
    expect(pagesFolder()).toBe(folder);
  },
  BUILD_MS,
);

test('a build that cannot be carried out is told with its code, and one that is not wanted any more just ends', async () => {
  // An option Node does not know ends it before it has begun.
  const broken = { PATH, NODE_OPTIONS: '--no-such-option' };
  await expect(buildPages(broken, new AbortController().signal)).rejects.toMatchObject({
    code: 'http.pages_unbuilt',
    message: expect.stringContaining('--no-such-option'),
  });
  const reason = new Error('enough');
  await expect(buildPages({ PATH }, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('names the error if the builder cannot be started', async () => {
  const tooLarge = { PATH, LEGION_TEST_TEXT: 'x'.repeat(200_000) };
  await expect(buildPages(tooLarge, new AbortController().signal)).rejects.toMatchObject({
    code: 'http.pages_unbuilt',
    message: expect.stringContaining('E2BIG'),
  });
});
