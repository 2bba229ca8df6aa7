/** Takes an issue through every phase in a jj workspace, with the real jj. */
import { existsSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { git } from '../../ports/forge/git.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';

beforeEach((context) => skipWithoutProgram(context, 'jj'));
const startDaemon = setUpDaemons();

test('an issue in a jj workspace goes to Done, and its work is on main', async () => {
  const daemon = await startDaemon({ yaml: 'workspaces: { kind: jj }\n', files: AUTO_MERGE_FILES });
  const id = await daemon.add();
  await daemon.untilStatus(id, 'Done');
  const { repository } = daemon.legion;
  expect(await git(repository, 'log', '--format=%s', 'main')).toContain(id);
  expect(await git(repository, 'for-each-ref', 'refs/jj')).toBe('');
  expect(existsSync(`${repository}/.jj`)).toBe(false);
});
