import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage } from '../support/legion.ts';

const begin = stage();

test('one issue whose workspace is broken stops nobody else, says what is wrong, and goes on once that is mended', async () => {
  const life = await begin({
    yaml: `limits: { respawns: 0, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, breaker_crashes: 100 }
`,
    scenario: [{ mode: 'architect', purpose: 'start', round: 1, steps: [{ ask: 'Red or blue?' }] }],
  });
  const { door, legion } = life;
  const [gone, broken] = [await life.add({ status: 'Backlog' }), await life.add({ status: 'Backlog' })];
  for (const id of [gone, broken]) await life.untilLabel(id, 'user-input-needed');
  const workspaces = join(legion.folder, 'data/legion/workspaces/demo');
  const folderOf = (id: string) =>
    join(workspaces, readdirSync(workspaces).find((name) => name.startsWith(`${id.toLowerCase()}-`)) ?? '');
  rmSync(folderOf(gone), { recursive: true });
  const place = folderOf(broken);
  rmSync(place, { recursive: true });
  writeFileSync(place, 'somebody put a file here\n');
  for (const id of [gone, broken]) await door.post(`/issues/${id}/answer`, { text: 'Blue.', by: 'Ada' });
  const other = await life.add({ status: 'Todo' });

  await life.untilStatus(gone, 'In Progress');
  await life.untilStatus(other, 'In Progress');
  await life.untilLabel(broken, 'legion-paused');
  const [item] = (await life.inbox()).filter(({ issue }) => issue === broken);
  expect([item?.kind, item?.text]).toEqual([
    'paused',
    expect.stringMatching(
      /^Paused after \d crash(?:es)? of the \w+ worker: could not be started.*is not a folder/s,
    ),
  ]);

  rmSync(place);
  await door.post(`/issues/${broken}/resume`, { by: 'Ada' });
  await life.untilStatus(broken, 'In Progress');
  expect(life.prompts(broken, 'architect').at(-1)).toContain('Blue.');
});
