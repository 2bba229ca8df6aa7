/**
 * Checks that Legion does not merge a GitHub pull request itself, but refers the operator to its
 * URL.
 */
import { expect, test } from 'vitest';
import { setUpGithubDaemons } from './github-legion.ts';

const startDaemon = setUpGithubDaemons();

test('refuses an operator’s merge and shows the URL of the pull request on GitHub', async () => {
  const daemon = await startDaemon({ rules: [] });
  await daemon.start();
  expect(await daemon.client.request('POST', '/pull-requests/7/merge', { force: true })).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 'pr.elsewhere',
        message: expect.stringContaining(`${daemon.github.url}/legion/demo/pull/7`),
        next: expect.stringContaining('Merge the pull request at the address'),
      },
    },
  });
});
