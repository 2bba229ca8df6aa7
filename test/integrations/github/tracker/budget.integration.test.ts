/** What reading a board costs, in requests. */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { REPO, type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** The board the specification speaks of. */
const MANY = 1_000;
/** After this nothing that was read can have changed within the second of its last change. */
const SETTLED_S = 60;
const HALF_AN_HOUR_S = 30 * 60;

const stage = useSimulated();

test(`a board of ${MANY} issues: ten requests for it and one for its authors, then one while nothing changes`, async () => {
  const { github, pass, asked, board, tracker } = stage();
  const project = board();
  for (let number = 1; number <= MANY; number += 1)
    github.people.issue(REPO, {
      author: WRITER,
      title: `Issue ${number}`,
      body: 'Text.',
      project,
      status: 'Backlog',
    });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  const first = await legion.list(SIGNAL);
  expect(first).toHaveLength(MANY);
  expect(tally(asked())).toEqual({ BoardPage: 10, PermissionsOf: 1 });

  expect(await legion.list(SIGNAL)).toEqual(first);
  expect(asked()).toEqual(['BoardDigest']);

  github.people.label(WRITER, REPO, 500, { add: ['bug'] });
  github.people.move(WRITER, project, REPO, 501, 'Todo');
  pass(SETTLED_S);
  const changed = await legion.list(SIGNAL);
  expect(
    changed.filter((issue, index) => JSON.stringify(issue) !== JSON.stringify(first[index])),
  ).toMatchObject([
    { id: 'acme-app-500', labels: ['bug'] },
    { id: 'acme-app-501', column: 'Todo' },
  ]);
  // A move is in the digest itself.
  expect(asked()).toEqual(['BoardDigest', 'IssuesInFull']);

  github.people.issue(REPO, { author: WRITER, title: 'One more', project });
  pass(SETTLED_S);
  expect(await legion.list(SIGNAL)).toHaveLength(MANY + 1);
  expect(asked()).toEqual(['BoardDigest', 'BoardPage']);
  await legion.list(SIGNAL);
  // Eleven pages do not fit into one request.
  expect(asked()).toEqual(['BoardDigest', 'BoardDigest']);

  pass(HALF_AN_HOUR_S);
  await legion.list(SIGNAL);
  expect(tally(asked())).toMatchObject({ BoardPage: 11 });
});

test('what changes twice within a second is read until its time has passed', async () => {
  const { github, pass, board, tracker } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
  const legion = await tracker([project]);
  await legion.list(SIGNAL);
  github.people.label(WRITER, REPO, 1, { add: ['bug'] });
  expect(await legion.list(SIGNAL)).toMatchObject([{ labels: ['bug'] }]);
  github.people.label(WRITER, REPO, 1, { add: ['ui'] });
  expect(await legion.list(SIGNAL)).toMatchObject([{ labels: ['bug', 'ui'] }]);
  pass(SETTLED_S);
  await legion.list(SIGNAL);
  stage().asked();
  await legion.list(SIGNAL);
  expect(stage().asked()).toEqual(['BoardDigest']);
});

test('comments of a column are at hand after a list, and asked for at any other time', async () => {
  const { github, pass, asked, board, tracker } = stage();
  const project = board();
  for (let number = 1; number <= 5; number += 1) {
    github.people.issue(REPO, { author: WRITER, title: `Issue ${number}`, project, status: 'Icebox' });
    for (let time = 1; time <= number; time += 1)
      github.people.comment(WRITER, REPO, number, `Comment ${time}`);
  }
  pass(SETTLED_S);
  const legion = await tracker([project]);
  const look = async () => {
    const issues = await legion.list(SIGNAL);
    return Promise.all(issues.map(async ({ id }) => (await legion.commentsSince(id, 0, SIGNAL)).length));
  };
  expect(await look()).toEqual([1, 2, 3, 4, 5]);
  // Only two have more than came with them.
  expect(tally(asked())).toMatchObject({ CommentsPage: 2 });
  expect(await look()).toEqual([1, 2, 3, 4, 5]);
  expect(asked()).toEqual(['BoardDigest']);
  pass();
  github.people.comment(WRITER, REPO, 5, 'One more');
  expect(await legion.commentsSince('acme-app-5', 0, SIGNAL)).toHaveLength(6);
  pass(SETTLED_S);
  expect(await look()).toEqual([1, 2, 3, 4, 6]);
});

test('a permission is asked for once an hour', async () => {
  const { asked, board, pass, tracker } = stage();
  const project = board();
  put(stage(), project);
  const legion = await tracker([project]);
  for (const wait of [0, SETTLED_S, 59 * SETTLED_S]) {
    pass(wait);
    await legion.list(SIGNAL);
  }
  expect(tally(asked())).toMatchObject({ PermissionsOf: 2 });
});

function put({ github }: Simulated, project: `${string}/${number}`): void {
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Todo' });
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
