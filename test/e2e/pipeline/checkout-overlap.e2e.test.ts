/**
 * Checks that no merge worker starts while a person's own files block the merge, and that the issue
 * continues by itself once they no longer block it.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { SUBMIT_WORK } from '../support/steps.ts';

const startDaemon = setUpDaemons();

const lines = (first: string, last: string) => [first, ...'bcdefghijklmn', last, ''].join('\n');

test('a merge that would overwrite uncommitted or untracked files is blocked until the person has dealt with them', async () => {
  const daemon = await startDaemon({
    yaml: 'polling: { interval: 1s }\n',
    files: { ...AUTO_MERGE_FILES, 'lines.txt': lines('a', 'z') },
    scenario: [
      {
        phase: 'implement',
        attempt: 1,
        steps: [
          { write: { path: 'lines.txt', content: lines('a', 'Z') } },
          { write: { path: 'greeting.txt', content: 'hello\n' } },
          ...SUBMIT_WORK,
        ],
      },
    ],
  });
  const { repository } = daemon.legion;
  writeFileSync(join(repository, 'lines.txt'), lines('A', 'z'));
  writeFileSync(join(repository, 'greeting.txt'), 'mine\n');
  writeFileSync(join(repository, 'beside.txt'), 'not in the way\n');
  const before = await git(repository, 'rev-parse', 'main');
  const id = await daemon.add({ status: 'In Progress', labels: ['feature'] });

  await daemon.untilLabel(id, 'needs-approval');
  await daemon.client.post(`/issues/${id}/approve`, { by: 'ada' });
  const waiting = await untilEscalated(daemon, id, (text) => text.includes('lines.txt'));
  expect(waiting.text).toContain(repository);
  expect(waiting.text).toContain('greeting.txt');
  expect(waiting.text).not.toContain('beside.txt');
  expect((await daemon.issue(id)).status).toBe('Retro');
  expect(await modesOf(daemon)).not.toContain('merge');
  expect(await git(repository, 'rev-parse', 'main')).toBe(before);

  rmSync(join(repository, 'greeting.txt'));
  const less = await untilEscalated(daemon, id, (text) => !text.includes('greeting.txt'));
  expect(less.text).toContain('lines.txt');
  expect(await modesOf(daemon)).not.toContain('merge');

  await git(repository, 'commit', '--quiet', '--message=mine', 'lines.txt');
  await daemon.untilStatus(id, 'Done');
  expect(await git(repository, 'show', 'main:lines.txt')).toBe(lines('A', 'Z').trim());
  expect(await git(repository, 'show', 'main:greeting.txt')).toBe('hello');
  expect(await git(repository, 'status', '--porcelain')).toBe('?? beside.txt');
  expect(await daemon.inbox()).toEqual([]);
});

async function untilEscalated(
  daemon: TestDaemon,
  id: string,
  wanted: (text: string) => boolean,
): Promise<InboxItem> {
  const found = await until(
    async () => (await daemon.inbox()).find(({ kind, issue }) => kind === 'escalation' && issue === id),
    (item) => item !== undefined && wanted(item.text),
    100_000,
  );
  if (found === undefined) throw new Error('nothing waits');
  return found;
}

async function modesOf({ client }: TestDaemon): Promise<readonly string[]> {
  return (await client.get<WorkerView[]>('/workers')).map(({ mode }) => mode);
}
