/** Tests which issues are on the boards, and in which columns. */
import { expect, test } from 'vitest';
import { labels, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { LEGION, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

test('lists an issue only once if it is on several boards, in its column on the first board', async () => {
  const { github, board, tracker } = stage();
  const [first, second] = [board(), board()];
  for (const title of ['both', 'second', 'first']) github.people.issue(REPO, { author: WRITER, title });
  github.people.addToProject(second, REPO, 1, 'Todo');
  github.people.addToProject(second, REPO, 2, 'Testing');
  github.people.addToProject(first, REPO, 3, 'Retro');
  github.people.addToProject(first, REPO, 1, 'Backlog');
  const legion = await tracker([first, second]);
  const listed = (await legion.list(SIGNAL)).map(({ id, column }) => [id, column]);
  expect(listed).toEqual([
    ['acme-app-3', 'Retro'],
    ['acme-app-1', 'Backlog'],
    ['acme-app-2', 'Testing'],
  ]);
  for (const [id, column] of listed) expect((await legion.read(String(id), SIGNAL))?.column).toBe(column);
});

test('moves an issue on every board that has both the issue and the column', async () => {
  const { github, board, tracker } = stage();
  const [first, second, third] = [board(), board(), board({ statuses: ['Now', 'Later'] })];
  github.people.issue(REPO, { author: WRITER, title: 'One', project: first, status: 'Todo' });
  github.people.addToProject(second, REPO, 1, 'Todo');
  github.people.addToProject(third, REPO, 1, 'Now');
  const legion = await tracker([first, second, third]);
  await legion.write('acme-app-1', { moveTo: 'In Progress', ...labels(['worker-active']) });
  expect(github.snapshot().issues[0]?.statuses).toEqual({
    [first]: 'In Progress',
    [second]: 'In Progress',
    [third]: 'Now',
  });
});

test('reads and writes a user’s board like an organization’s', async () => {
  const { github, board, tracker } = stage();
  await github.people.repository(`${LEGION}/own`);
  const project = board({}, LEGION);
  github.people.issue(`${LEGION}/own`, { author: LEGION, title: 'One', project, status: 'Todo' });
  const legion = await tracker([project], { repositories: () => [`${LEGION}/own`] });
  const [issue] = await legion.list(SIGNAL);
  expect(issue).toMatchObject({
    id: 'legion-own-1',
    column: 'Todo',
    writtenBy: { name: LEGION, mayWrite: true },
  });
  await legion.write('legion-own-1', { moveTo: 'Testing', ...labels(['worker-done']) });
  expect(github.snapshot().issues[0]).toMatchObject({
    labels: ['worker-done'],
    statuses: { [project]: 'Testing' },
  });
});

test('leaves out drafts, pull requests and archived items', async () => {
  const { github, pass, board, tracker } = stage();
  const project = board();
  github.people.addDraft(project, { author: WRITER, title: 'A draft', status: 'Todo' });
  for (const title of ['kept', 'archived'])
    github.people.issue(REPO, { author: WRITER, title, project, status: 'Todo' });
  const legion = await tracker([project]);
  expect(await legion.list(SIGNAL)).toHaveLength(2);
  pass();
  github.people.archive(WRITER, project, REPO, 2);
  expect((await legion.list(SIGNAL)).map(({ title }) => title)).toEqual(['kept']);
  expect(await legion.read('acme-app-2', SIGNAL)).toBeUndefined();
  github.people.archive(WRITER, project, REPO, 2, false);
  expect(await legion.list(SIGNAL)).toHaveLength(2);
});

test('drops an issue that was removed from the board, and rejects writes to it', async () => {
  const { github, pass, board, tracker } = stage();
  const project = board();
  for (let number = 1; number <= 150; number += 1)
    github.people.issue(REPO, { author: WRITER, title: `Issue ${number}`, project, status: 'Todo' });
  const legion = await tracker([project]);
  await legion.list(SIGNAL);
  pass(60);
  for (const number of [1, 50, 100, 101, 150]) github.people.removeFromProject(project, REPO, number);
  const left = (await legion.list(SIGNAL)).map(({ source }) =>
    source.kind === 'github' ? source.number : 0,
  );
  expect(left).toEqual(
    Array.from({ length: 150 }, (_, index) => index + 1).filter((n) => ![1, 50, 100, 101, 150].includes(n)),
  );
  expect(await legion.read('acme-app-50', SIGNAL)).toBeUndefined();
  const calls = [
    () => legion.write('acme-app-50', labels(['worker-done'])),
    () => legion.comment('acme-app-50', 'key', 'text'),
    () => legion.putComment('acme-app-50', 'key', 'text'),
    () => legion.commentsSince('acme-app-50', 0, SIGNAL),
    () => legion.close('acme-app-50'),
  ];
  for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'tracker.issue_unknown' });
});

test('reports an empty column for an issue without a status and for a board without the status field', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project });
  const renamed = await tracker([project], { fields: { status: 'Phase', priority: 'Urgency' } });
  expect(await (await tracker([project])).list(SIGNAL)).toMatchObject([{ column: '' }]);
  expect(await renamed.list(SIGNAL)).toMatchObject([{ column: '' }]);
  expect(await refusal(renamed.write('acme-app-1', { moveTo: 'Todo', ...labels([]) }))).toMatchObject({
    code: 'tracker.column_missing',
  });
});

test('uses the board’s own column names for reads and writes', async () => {
  const { github, board, tracker } = stage();
  const project = board({ statuses: ['Inbox', 'Today', 'Doing', 'In Review', 'Shipped'] });
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Today' });
  const columns = () => ({ 'In Progress': ['Doing'], Done: ['Shipped'] });
  const legion = await tracker([project], { columns });
  for (const [moveTo, option] of [
    ['Todo', 'Today'],
    ['In Progress', 'Doing'],
    ['Needs Review', 'In Review'],
    ['Done', 'Shipped'],
  ] as const) {
    await legion.write('acme-app-1', { moveTo, ...labels([]) });
    expect(github.snapshot().issues[0]?.statuses[project]).toBe(option);
    expect(await legion.list(SIGNAL)).toMatchObject([{ column: option }]);
  }
});

test('rejects a missing or invisible board instead of returning an empty list', async () => {
  const { board, tracker } = stage();
  const hidden = board({}, 'somebody');
  for (const project of ['acme/99', 'nobody/1', hidden] as const)
    expect(await refusal((await tracker([project])).list(SIGNAL))).toMatchObject({ code: 'github.missing' });
  await expect(tracker(['acme' as never])).rejects.toMatchObject({ code: 'id.invalid' });
});

test('if two issues have the same id, lists one and reports the other', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  github.people.organization('acme-app', [LEGION]);
  await github.people.repository('acme-app/x');
  await github.people.repository('acme/app-x');
  for (const name of ['acme-app/x', 'acme/app-x'] as const)
    github.people.issue(name, { author: WRITER, title: name, project, status: 'Todo' });
  const legion = await tracker([project], { repositories: () => ['acme/app-x'] });
  expect((await legion.list(SIGNAL)).map(({ id, title }) => [id, title])).toEqual([
    ['acme-app-x-1', 'acme/app-x'],
  ]);
  expect(legion.problems()).toEqual([expect.stringContaining('acme-app/x#1 is ignored')]);
  expect(legion.idOf({ owner: 'acme', repo: 'app-x', number: 1 })).toBe('acme-app-x-1');
  expect(legion.idOf({ owner: 'acme-app', repo: 'x', number: 1 })).toBeUndefined();
});

test('reports items that it cannot see and still lists the others', async () => {
  const { github, board, tracker } = stage();
  const project = board();
  await github.people.repository('other/secret', { private: true });
  github.people.issue('other/secret', { author: 'other', title: 'Hidden', project });
  github.people.issue(REPO, { author: WRITER, title: 'Seen', project, status: 'Todo' });
  const legion = await tracker([project]);
  expect(await legion.list(SIGNAL)).toMatchObject([{ title: 'Seen' }]);
  expect(legion.problems()).toEqual([expect.stringContaining('1 of the boards’ items')]);
});
