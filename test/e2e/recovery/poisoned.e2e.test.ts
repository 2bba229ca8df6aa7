import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

test('a broken workspace does not block other issues; the problem is reported, and the issue continues once the workspace is fixed', async () => {
  const daemon = await startDaemon({
    yaml: `limits: { respawns: 0, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, breaker_crashes: 100 }
`,
    scenario: [{ mode: 'architect', purpose: 'start', round: 1, steps: [{ ask: 'Red or blue?' }] }],
  });
  const { client, legion } = daemon;
  const [gone, broken] = [await daemon.add({ status: 'Backlog' }), await daemon.add({ status: 'Backlog' })];
  for (const id of [gone, broken]) await daemon.untilLabel(id, 'user-input-needed');
  const workspaces = join(legion.folder, 'data/legion/workspaces/demo');
  const folderOf = (id: string) =>
    join(workspaces, readdirSync(workspaces).find((name) => name.startsWith(`${id.toLowerCase()}-`)) ?? '');
  rmSync(folderOf(gone), { recursive: true });
  const place = folderOf(broken);
  rmSync(place, { recursive: true });
  writeFileSync(place, 'a person put a file here\n');
  for (const id of [gone, broken]) await client.post(`/issues/${id}/answer`, { text: 'Blue.', by: 'Ada' });
  const other = await daemon.add({ status: 'Todo' });

  await daemon.untilStatus(gone, 'In Progress');
  await daemon.untilStatus(other, 'In Progress');
  await daemon.untilLabel(broken, 'legion-paused');
  const [item] = (await daemon.inbox()).filter(({ issue }) => issue === broken);
  expect([item?.kind, item?.text]).toEqual([
    'paused',
    expect.stringMatching(
      /^Paused after \d crash(?:es)? of the \w+ worker: could not be started.*is not a directory/s,
    ),
  ]);

  rmSync(place);
  await client.post(`/issues/${broken}/resume`, { by: 'Ada' });
  await daemon.untilStatus(broken, 'In Progress');
  expect(daemon.prompts(broken, 'architect').at(-1)).toContain('Blue.');
});
