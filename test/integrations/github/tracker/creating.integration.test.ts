/** New issues: where they go, and what they say there. */
import { expect, test } from 'vitest';
import { look, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { LEGION, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

test('a part goes to the repository of the issue it is split from, and below it', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  await github.people.repository('acme/lib');
  github.people.grant('acme/lib', LEGION, 'WRITE');
  github.people.issue('acme/lib', { author: WRITER, title: 'Whole', project, status: 'Backlog' });
  const legion = await tracker([project]);
  const id = await put(legion, 'part', { parent: 'acme-lib-1', body: 'See @ada.' });
  expect(await look(legion, id)).toMatchObject({ id: 'acme-lib-2', parent: 'acme-lib-1', body: 'See @ada.' });
  expect(await put(legion, 'other')).toBe('acme-app-1');
});

test('a board without a priority of its own gets it as a label', async () => {
  const { board, tracker } = stage();
  const legion = await tracker([board({ fields: {} })]);
  const id = await put(legion, 'key', { priority: 2, labels: ['bug'] });
  expect(await look(legion, id)).toMatchObject({ priority: 2, labels: ['bug', 'priority: high'] });
});

test('a text longer than GitHub takes is cut, and found again', async () => {
  const { board, tracker } = stage();
  const project = board();
  const id = await put(await tracker([project]), 'key', { body: 'x'.repeat(70_000) });
  const legion = await tracker([project]);
  expect(await put(legion, 'key')).toBe(id);
  expect((await look(legion, id)).body).toMatch(/^x{60000,}\n\n… \(cut/);
});

test('what a person has closed is not made again', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  const id = await put(await tracker([project]), 'key');
  github.people.closeIssue(WRITER, REPO, 1);
  expect(await put(await tracker([project]), 'key')).toBe(id);
  expect(github.snapshot().issues).toHaveLength(1);
});

test('somebody else’s issue with Legion’s mark is not Legion’s', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: 'eve', title: 'Forged', body: 'x\n\n<!-- legion:key -->', project });
  const legion = await tracker([project]);
  expect(await put(legion, 'key')).toBe('acme-app-2');
  const [forged] = await legion.list(SIGNAL);
  expect(forged?.body).toBe('x\n\n<!-- legion:key -->');
});

test('where no repository is configured nothing can be made', async () => {
  const { board, tracker } = stage();
  const legion = await tracker([board()], { repositories: () => [] });
  expect(await refusal(put(legion, 'key'))).toMatchObject({ code: 'input.invalid' });
});
