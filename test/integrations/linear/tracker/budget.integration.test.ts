/** Tests how many requests and points it costs to read a board. */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** Board size that the specification requires. */
const MANY = 1_000;
/** After this time, recent changes are no longer requested again. */
const SETTLED_S = 5 * 60;
const TEN_MINUTES_S = 10 * 60;
/**
 * The points that one request may cost on Linear, and our limit for a pass over an unchanged board.
 * With that limit, 120 passes an hour use a small part of the 3,000,000 points that Linear allows
 * per hour.
 */
const POINTS_MAX = 10_000;
const LOOK_POINTS_MAX = 1_700;

const stage = useSimulated();

test(`reads a board of ${MANY} issues with ten requests, and rereads an unchanged board with one`, async () => {
  const { linear, pass, asked, team, tracker } = stage();
  const { people } = linear;
  const eng = team('ENG');
  fill(stage(), MANY);
  pass(SETTLED_S);
  const legion = await tracker(eng);
  const first = await legion.list(SIGNAL);
  expect(first).toHaveLength(MANY);
  expect(asked()).toEqual(Array.from({ length: 10 }, () => 'BoardPage'));

  expect(await legion.list(SIGNAL)).toEqual(first);
  expect(asked()).toEqual(['BoardChanges']);
  expect(linear.requests().at(-1)?.complexity).toBeLessThan(LOOK_POINTS_MAX);

  people.setLabels(WRITER, 'ENG-500', { add: ['bug'] });
  people.move(WRITER, 'ENG-501', 'Todo');
  people.issue('ENG', { creator: WRITER, title: 'One more', state: 'Backlog' });
  const changed = await legion.list(SIGNAL);
  expect(
    changed.filter((issue, index) => JSON.stringify(issue) !== JSON.stringify(first[index])),
  ).toMatchObject([
    { id: 'ENG-500', labels: ['bug'] },
    { id: 'ENG-501', column: 'Todo' },
    { id: `ENG-${MANY + 1}`, title: 'One more' },
  ]);
  expect(asked()).toEqual(['BoardChanges']);

  pass(TEN_MINUTES_S);
  expect(await legion.list(SIGNAL)).toEqual(changed);
  expect(asked()).toEqual(Array.from({ length: 11 }, () => 'BoardPage'));
  for (const { complexity } of linear.requests()) expect(complexity).toBeLessThan(POINTS_MAX * 0.8);
});

test('requests changes from the last minute again in each pass, and stops once they are older', async () => {
  const { linear, pass, asked, team, tracker } = stage();
  const eng = team('ENG');
  fill(stage(), 150);
  const legion = await tracker(eng);
  const first = await legion.list(SIGNAL);
  asked();
  // Everything is requested again, because all issues changed within the last minute. They do not
  // fit into one request.
  expect(await legion.list(SIGNAL)).toEqual(first);
  expect(asked()).toEqual(['BoardChanges', 'BoardPage', 'BoardPage']);
  pass(SETTLED_S);
  await legion.list(SIGNAL);
  asked();
  expect(await legion.list(SIGNAL)).toEqual(first);
  expect(asked()).toEqual(['BoardChanges']);
  linear.people.edit(WRITER, 'ENG-7', { title: 'Another title' });
  expect((await legion.list(SIGNAL))[6]).toMatchObject({ id: 'ENG-7', title: 'Another title' });
});

test('sees more changes than fit into one request', async () => {
  const { linear, pass, team, tracker } = stage();
  const eng = team('ENG');
  fill(stage(), 300);
  pass(SETTLED_S);
  const legion = await tracker(eng);
  await legion.list(SIGNAL);
  for (let number = 1; number <= 300; number += 1) linear.people.move(WRITER, `ENG-${number}`, 'Todo');
  expect(new Set((await legion.list(SIGNAL)).map(({ column }) => column))).toEqual(new Set(['Todo']));
});

test('reads the comments of each issue once, and again only if there are new ones', async () => {
  const { linear, pass, asked, team, tracker } = stage();
  const { people } = linear;
  const eng = team('ENG');
  fill(stage(), 5, 'Icebox');
  for (let number = 1; number <= 5; number += 1)
    for (let time = 1; time <= number; time += 1) people.comment(WRITER, `ENG-${number}`, `Comment ${time}`);
  pass(SETTLED_S);
  const legion = await tracker(eng);
  const look = async () => {
    const issues = await legion.list(SIGNAL);
    return Promise.all(issues.map(async ({ id }) => (await legion.commentsSince(id, 0, SIGNAL)).length));
  };
  expect(await look()).toEqual([1, 2, 3, 4, 5]);
  asked();
  expect(await look()).toEqual([1, 2, 3, 4, 5]);
  expect(asked()).toEqual(['BoardChanges']);
  pass();
  people.comment(WRITER, 'ENG-5', 'One more');
  pass();
  expect(await look()).toEqual([1, 2, 3, 4, 6]);
  expect(asked()).toEqual(['BoardChanges', 'CommentsPage']);
  await legion.comment('ENG-1', 'key', 'Mine.');
  expect(await legion.commentsSince('ENG-1', 0, SIGNAL)).toHaveLength(2);
  // A read without a preceding list returns the current comments.
  pass();
  people.comment(WRITER, 'ENG-2', 'At any time');
  expect(await legion.commentsSince('ENG-2', 0, SIGNAL)).toHaveLength(3);
});

test('reads all labels, attachments and blockers of an issue that has more than one page of them', async () => {
  const { linear, pass, asked, team, tracker } = stage();
  const { people } = linear;
  const eng = team('ENG');
  fill(stage(), 62);
  const labels = Array.from({ length: 12 }, (_, index) => `label-${index + 10}`);
  people.setLabels(WRITER, 'ENG-1', { add: labels });
  for (let number = 1; number <= 60; number += 1) people.block('ENG-2', `ENG-${number + 2}`);
  for (let number = 1; number <= 9; number += 1)
    people.attach('ENG-3', { url: `https://a.example/${number}` });
  pass(SETTLED_S);
  const legion = await tracker(eng);
  const first = await legion.list(SIGNAL);
  expect(first[0]?.labels).toEqual(labels);
  expect(first[1]?.openBlockers).toHaveLength(60);
  expect(first[2]?.links).toHaveLength(9);
  expect(asked()).toEqual(['BoardPage', 'IssuesInFull', 'IssuesInFull']);
  for (const issue of first.slice(0, 3)) expect(await legion.read(issue.id, SIGNAL)).toEqual(issue);
  people.move(WRITER, 'ENG-62', 'Done');
  expect((await legion.list(SIGNAL))[1]?.openBlockers).toHaveLength(59);
  for (const { complexity } of linear.requests()) expect(complexity).toBeLessThan(POINTS_MAX);
});

function fill({ linear }: Simulated, count: number, state = 'Backlog'): void {
  for (let number = 1; number <= count; number += 1)
    linear.people.issue('ENG', { creator: WRITER, title: `Issue ${number}`, description: 'Text.', state });
}
