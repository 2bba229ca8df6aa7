/**
 * Tests that a clone of the repository builds its dashboard in a separate process and can serve it
 * afterwards.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPages, findPagesFolder } from '../../../src/cli/dashboard.ts';

/** Time for a full build on a busy machine. */
const BUILD_MS = 90_000;

const { PATH = '' } = process.env;

test(
  'after a build, the clone’s dashboard is found; a second build leaves it at the same path',
  async () => {
    const { signal } = new AbortController();
    await buildPages({ PATH }, signal);
    const folder = findPagesFolder();
    expect(existsSync(join(folder ?? '', 'index.html'))).toBe(true);
    await buildPages({ PATH }, signal);
    expect(findPagesFolder()).toBe(folder);
  },
  BUILD_MS,
);

test('a failed build is reported with a fault code, and an aborted build rejects with the abort reason', async () => {
  // The unknown option makes Node exit immediately.
  const broken = { PATH, NODE_OPTIONS: '--no-such-option' };
  await expect(buildPages(broken, new AbortController().signal)).rejects.toMatchObject({
    code: 'http.pages_unbuilt',
    message: expect.stringContaining('--no-such-option'),
  });
  const reason = new Error('enough');
  await expect(buildPages({ PATH }, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a builder that cannot be started is reported with the system error', async () => {
  const tooLarge = { PATH, LEGION_TEST_TEXT: 'x'.repeat(200_000) };
  await expect(buildPages(tooLarge, new AbortController().signal)).rejects.toMatchObject({
    code: 'http.pages_unbuilt',
    message: expect.stringContaining('E2BIG'),
  });
});
