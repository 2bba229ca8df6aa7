/** Takes issues through every phase in jj workspaces, with the real jj. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toFolderName } from '../../../src/core/model/ids.ts';
import { git } from '../../ports/forge/git.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { until } from '../../support/running-daemon.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';
import { killWorker } from '../support/worker-processes.ts';

const startDaemon = setUpDaemons();

const JJ = 'workspaces: { kind: jj }\n';

test('an issue in a jj workspace goes to Done, and its work is on main', async (context) => {
  skipWithoutProgram(context, 'jj');
  const daemon = await startDaemon({ yaml: JJ, files: AUTO_MERGE_FILES });
  const id = await daemon.add();
  await daemon.untilStatus(id, 'Done');
  const { repository } = daemon.legion;
  expect(await git(repository, 'log', '--format=%s', 'main')).toContain(id);
  expect(await git(repository, 'for-each-ref', 'refs/jj')).toBe('');
  expect(existsSync(join(repository, '.jj'))).toBe(false);
  expect(daemon.prompts(id, 'implement')[0]).toContain('jj commit -m');
});

test('a killed worker whose directory was deleted gets its recorded work back', async (context) => {
  skipWithoutProgram(context, 'jj');
  const begun = [
    { write: { path: 'draft.txt', content: 'half done\n' } },
    { checkpoint: { stage: 'drafted' } },
    { hang: 'silent' },
  ];
  const daemon = await startDaemon({
    // Short, because nothing reports that a killed worker has exited.
    yaml: `${JJ}health: { heartbeat: 1s }\n`,
    files: AUTO_MERGE_FILES,
    scenario: [{ phase: 'implement', attempt: 1, steps: begun }],
  });
  const { legion } = daemon;
  const id = await daemon.add({ status: 'In Progress' });
  const path = join(legion.folder, 'data/legion/workspaces/demo', toFolderName(id));
  await daemon.untilEvents('the checkpoint', (events) =>
    events.some(({ type }) => type === 'checkpoint.saved'),
  );
  expect(existsSync(join(path, 'draft.txt'))).toBe(true);
  await killWorker(legion.state, `${id}-implement`);
  rmSync(path, { recursive: true });
  await daemon.untilStatus(id, 'Done');
  expect(await git(legion.repository, 'show', 'main:draft.txt')).toContain('half done');
});

test('no jj process runs if workspaces are git worktrees', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'legion-no-jj-'));
  const called = join(programs, 'called');
  mkdirSync(join(programs, 'bin'));
  writeFileSync(join(programs, 'bin/jj'), `#!/bin/sh\necho "$@" >> ${called}\nexit 1\n`);
  chmodSync(join(programs, 'bin/jj'), 0o755);
  const { PATH = '' } = process.env;
  try {
    const daemon = await startDaemon({
      files: AUTO_MERGE_FILES,
      environment: { PATH: `${join(programs, 'bin')}:${PATH}` },
    });
    const id = await daemon.add();
    await daemon.untilStatus(id, 'Done');
    await daemon.client.get(`/issues/${id}/diff`);
    expect(existsSync(called)).toBe(false);
  } finally {
    rmSync(programs, { recursive: true });
  }
});

test('the preflight reports a jj that is too old as one problem, and no worker starts', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'legion-old-jj-'));
  writeFileSync(join(programs, 'jj'), '#!/bin/sh\necho "jj 0.40.0"\n');
  chmodSync(join(programs, 'jj'), 0o755);
  const { PATH = '' } = process.env;
  try {
    const daemon = await startDaemon({ yaml: JJ, environment: { PATH: `${programs}:${PATH}` } });
    const id = await daemon.add();
    const health = () => daemon.client.get<{ troubles: { code: string }[] }>('/health');
    const { troubles } = await until(health, (seen) => seen.troubles.length > 0);
    expect(troubles.map(({ code }) => code)).toEqual(['jj.too_old']);
    expect(JSON.stringify(await daemon.client.get(`/issues/${id}/explain`))).toContain('jj.too_old');
  } finally {
    rmSync(programs, { recursive: true });
  }
});
