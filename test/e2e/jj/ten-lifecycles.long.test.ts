/** Takes ten issues through every phase at once in jj workspaces of one repository. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../ports/forge/git.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';

const ISSUES = 10;
/** Ten issues share two cores, and every jj call is a process. */
const PATIENCE = 5;

const startDaemon = setUpDaemons(PATIENCE);

test('ten issues in jj workspaces of one repository are all merged', async (context) => {
  skipWithoutProgram(context, 'jj');
  const daemon = await startDaemon({ yaml: 'workspaces: { kind: jj }\n', files: AUTO_MERGE_FILES });
  const ids: string[] = [];
  for (let index = 1; index <= ISSUES; index += 1)
    ids.push(await daemon.add({ title: `Add greeting number ${index}` }));
  for (const id of ids) await daemon.untilStatus(id, 'Done');
  const { repository, folder } = daemon.legion;
  const files = await git(repository, 'ls-tree', '-r', '--name-only', 'main');
  for (const id of ids) expect(files).toContain(`docs/changes/${id}.md`);
  await daemon.client.post('/gc', {});
  const left = readdirSync(join(folder, 'data/legion/workspaces/demo')).filter(
    (name) => !name.startsWith('.'),
  );
  expect(left).toEqual([]);
});
