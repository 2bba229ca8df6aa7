/** Tests the number of requests that reading a board costs. */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { REPO, type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** Board size that the specification requires. */
const MANY = 1_000;
/**
 * Time after which an issue can no longer change unnoticed. Until then it can, because GitHub's
 * times are whole seconds and a second change may get the same timestamp.
 */
const SETTLED_S = 60;
const HALF_AN_HOUR_S = 30 * 60;

const stage = useSimulated();

test(`reads a board of ${MANY} issues with ten requests plus one for its authors, and rereads an unchanged board with one`, async () => {
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
  // A move needs no further request, because the digest itself contains the new column.
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

test('rereads a recently changed issue, so that a second change within the same second is not missed', async () => {
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

test('returns comments from the last list without a request; requests only comments that are new or were left out of the list', async () => {
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
  // Only two issues have more comments than the list returned with them.
  expect(tally(asked())).toMatchObject({ CommentsPage: 2 });
  expect(await look()).toEqual([1, 2, 3, 4, 5]);
  expect(asked()).toEqual(['BoardDigest']);
  pass();
  github.people.comment(WRITER, REPO, 5, 'One more');
  expect(await legion.commentsSince('acme-app-5', 0, SIGNAL)).toHaveLength(6);
  pass(SETTLED_S);
  expect(await look()).toEqual([1, 2, 3, 4, 6]);
});

test('looks up an account’s write permission at most once an hour', async () => {
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
