/** Tests the repository, board position and content of new issues. */
import { expect, test } from 'vitest';
import { look, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { LEGION, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

test('creates a sub-issue in its parent’s repository and links it to the parent', async () => {
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

test('adds the priority as a label on a board without a priority field', async () => {
  const { board, tracker } = stage();
  const legion = await tracker([board({ fields: {} })]);
  const id = await put(legion, 'key', { priority: 2, labels: ['bug'] });
  expect(await look(legion, id)).toMatchObject({ priority: 2, labels: ['bug', 'priority: high'] });
});

test('truncates a text that is too long for GitHub, and still finds the issue again', async () => {
  const { board, tracker } = stage();
  const project = board();
  const id = await put(await tracker([project]), 'key', { body: 'x'.repeat(70_000) });
  const legion = await tracker([project]);
  expect(await put(legion, 'key')).toBe(id);
  expect((await look(legion, id)).body).toMatch(/^x{60000,}\n\n… \(truncated/);
});

test('does not create an issue a second time after a person has closed it', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  const id = await put(await tracker([project]), 'key');
  github.people.closeIssue(WRITER, REPO, 1);
  expect(await put(await tracker([project]), 'key')).toBe(id);
  expect(github.snapshot().issues).toHaveLength(1);
});

test('does not treat another person’s issue with Legion’s marker as its own', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: 'eve', title: 'Forged', body: 'x\n\n<!-- legion:key -->', project });
  const legion = await tracker([project]);
  expect(await put(legion, 'key')).toBe('acme-app-2');
  const [forged] = await legion.list(SIGNAL);
  expect(forged?.body).toBe('x\n\n<!-- legion:key -->');
});

test('creates nothing if no repository is configured', async () => {
  const { board, tracker } = stage();
  const legion = await tracker([board()], { repositories: () => [] });
  expect(await refusal(put(legion, 'key'))).toMatchObject({ code: 'input.invalid' });
});
