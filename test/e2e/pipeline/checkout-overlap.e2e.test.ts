/** A person's own files in the way of a merge: the issue waits for them before anybody is sent, and continues by itself. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxItem, WorkerView } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';
import { HAND_IN } from '../support/steps.ts';

const begin = stage();

const lines = (first: string, last: string) => [first, ...'bcdefghijklmn', last, ''].join('\n');

test('uncommitted and untracked files in the way of a merge hold it back until the person has dealt with them', async () => {
  const life = await begin({
    yaml: 'polling: { interval: 1s }\n',
    files: { ...MERGING, 'lines.txt': lines('a', 'z') },
    scenario: [
      {
        phase: 'implement',
        attempt: 1,
        steps: [
          { write: { path: 'lines.txt', content: lines('a', 'Z') } },
          { write: { path: 'greeting.txt', content: 'hello\n' } },
          ...HAND_IN,
        ],
      },
    ],
  });
  const { repository } = life.legion;
  writeFileSync(join(repository, 'lines.txt'), lines('A', 'z'));
  writeFileSync(join(repository, 'greeting.txt'), 'mine\n');
  writeFileSync(join(repository, 'beside.txt'), 'not in the way\n');
  const before = await git(repository, 'rev-parse', 'main');
  const id = await life.add({ status: 'In Progress' });

  await life.untilLabel(id, 'needs-approval');
  await life.door.post(`/issues/${id}/approve`, { by: 'ada' });
  const waiting = await untilEscalated(life, id, (text) => text.includes('lines.txt'));
  expect(waiting.text).toContain(repository);
  expect(waiting.text).toContain('greeting.txt');
  expect(waiting.text).not.toContain('beside.txt');
  expect((await life.issue(id)).status).toBe('Retro');
  expect(await modesOf(life)).not.toContain('merge');
  expect(await git(repository, 'rev-parse', 'main')).toBe(before);

  rmSync(join(repository, 'greeting.txt'));
  const less = await untilEscalated(life, id, (text) => !text.includes('greeting.txt'));
  expect(less.text).toContain('lines.txt');
  expect(await modesOf(life)).not.toContain('merge');

  await git(repository, 'commit', '--quiet', '--message=mine', 'lines.txt');
  await life.untilStatus(id, 'Done');
  expect(await git(repository, 'show', 'main:lines.txt')).toBe(lines('A', 'Z').trim());
  expect(await git(repository, 'show', 'main:greeting.txt')).toBe('hello');
  expect(await git(repository, 'status', '--porcelain')).toBe('?? beside.txt');
  expect(await life.inbox()).toEqual([]);
});

async function untilEscalated(life: Life, id: string, wanted: (text: string) => boolean): Promise<InboxItem> {
  const found = await until(
    async () => (await life.inbox()).find(({ kind, issue }) => kind === 'escalation' && issue === id),
    (item) => item !== undefined && wanted(item.text),
    100_000,
  );
  if (found === undefined) throw new Error('nothing waits');
  return found;
}

async function modesOf({ door }: Life): Promise<readonly string[]> {
  return (await door.get<WorkerView[]>('/workers')).map(({ mode }) => mode);
}
