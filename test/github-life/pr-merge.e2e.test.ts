/** Pull requests on GitHub are merged there: Legion gives the address. */
import { expect, test } from 'vitest';
import { githubStage } from '../e2e/github/github-legion.ts';

const begin = githubStage();

test('an operator’s merge is refused with the address of the pull request on GitHub', async () => {
  const life = await begin({ rules: [] });
  await life.start();
  expect(await life.door.request('POST', '/pull-requests/7/merge', { force: true })).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 'pr.elsewhere',
        message: expect.stringContaining(`${life.github.url}/legion/demo/pull/7`),
        next: expect.stringContaining('Merge it at the address'),
      },
    },
  });
});
