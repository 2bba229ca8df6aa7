/** For whom an issue waits: GitHub's own dependencies and those its text names, on the boards and elsewhere. */
import { expect, test } from 'vitest';
import type { GithubTracker } from '../../../../src/trackers/github/open-github-tracker.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { OUTSIDER, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const OTHER = 'acme/lib';
const SETTLED_S = 60;
const HALF_AN_HOUR_S = 30 * 60;

const stage = useSimulated();

test('a dependency of GitHub’s holds an issue up until it is closed, also one of no board', async () => {
  const { github, pass, board, tracker } = stage();
  const { people } = github;
  const project = board();
  await people.repository(OTHER);
  const elsewhere = people.issue(OTHER, { author: WRITER, title: 'Elsewhere' });
  const near = people.issue(REPO, { author: WRITER, title: 'Near', project, status: 'Todo' });
  const waiting = people.issue(REPO, { author: WRITER, title: 'Waiting', project, status: 'Todo' });
  people.block(REPO, waiting, { name: OTHER, number: elsewhere });
  people.block(REPO, waiting, { name: REPO, number: near });
  const legion = await tracker([project]);
  const id = `acme-app-${waiting}`;
  expect(await waitsFor(legion, id)).toEqual(['acme-app-1', 'acme-lib-1']);
  pass(SETTLED_S);
  people.closeIssue(WRITER, OTHER, elsewhere);
  expect(await waitsFor(legion, id)).toEqual(['acme-app-1']);
  pass(SETTLED_S);
  people.move(WRITER, project, REPO, near, 'Done');
  expect(await waitsFor(legion, id)).toEqual([]);
  pass(SETTLED_S);
  people.reopenIssue(WRITER, OTHER, elsewhere);
  expect(await waitsFor(legion, id)).toEqual(['acme-lib-1']);
});

test('a blocker that a text names counts the same, until the text changes', async () => {
  const { github, pass, board, tracker } = stage();
  const { people } = github;
  const project = board();
  await people.repository(OTHER);
  people.issue(OTHER, { author: WRITER, title: 'Elsewhere' });
  people.issue(REPO, { author: WRITER, title: 'Near', project, status: 'Todo' });
  const body = 'Blocked by #1, acme/lib#1\nDepends on acme/nowhere#7 and #99';
  people.issue(REPO, { author: WRITER, title: 'Waiting', body, project, status: 'Todo' });
  const legion = await tracker([project]);
  expect(await waitsFor(legion, 'acme-app-2')).toEqual(['acme-app-1', 'acme-lib-1']);
  pass(SETTLED_S);
  people.editIssue(WRITER, REPO, 2, { body: 'Blocked by #1' });
  expect(await waitsFor(legion, 'acme-app-2')).toEqual(['acme-app-1']);
  pass(SETTLED_S);
  people.closeIssue(WRITER, REPO, 1);
  expect(await waitsFor(legion, 'acme-app-2')).toEqual([]);
});

test('while nothing changes, blockers cost no request beyond the digest', async () => {
  const { github, pass, asked, board, tracker } = stage();
  const { people } = github;
  const project = board();
  await people.repository(OTHER);
  people.issue(OTHER, { author: WRITER, title: 'Elsewhere' });
  const body = 'Blocked by acme/lib#1\nBlocked by #99';
  people.issue(REPO, { author: WRITER, title: 'By its text', body, project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'By GitHub', project, status: 'Todo' });
  people.block(REPO, 2, { name: OTHER, number: 1 });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  const first = await legion.list(SIGNAL);
  expect(first.map(({ openBlockers }) => openBlockers)).toEqual([['acme-lib-1'], ['acme-lib-1']]);
  asked();
  expect(await legion.list(SIGNAL)).toEqual(first);
  expect(asked()).toEqual(['BoardDigest']);
  people.closeIssue(WRITER, OTHER, 1);
  expect((await legion.list(SIGNAL)).flatMap(({ openBlockers }) => openBlockers)).toEqual([]);
  // A reading of the whole board has no room for them; they are asked for beside it.
  pass(HALF_AN_HOUR_S);
  people.reopenIssue(WRITER, OTHER, 1);
  expect(await legion.list(SIGNAL)).toEqual(first);
});

test('more than a hundred blocked issues are all found', async () => {
  const { github, pass, board, tracker } = stage();
  const { people } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'Blocker', project, status: 'Todo' });
  for (let number = 2; number <= 106; number += 1) {
    people.issue(REPO, { author: WRITER, title: `Issue ${number}`, project, status: 'Todo' });
    people.block(REPO, number, { name: REPO, number: 1 });
  }
  pass(SETTLED_S);
  const issues = await (await tracker([project])).list(SIGNAL);
  expect(issues.filter(({ openBlockers }) => openBlockers.includes('acme-app-1'))).toHaveLength(105);
});

test('what is Done or closed waits for nothing, and a sub-issue does not hold up the issue it belongs to', async () => {
  const { github, board, tracker } = stage();
  const { people } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'Blocker', project, status: 'Todo' });
  people.issue(REPO, { author: OUTSIDER, title: 'Done', body: 'Blocked by #1', project, status: 'Done' });
  people.issue(REPO, { author: WRITER, title: 'Parent', project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Part', parent: 3, project, status: 'Todo' });
  const legion = await tracker([project]);
  const issues = await legion.list(SIGNAL);
  expect(issues.map(({ openBlockers }) => openBlockers)).toEqual([[], [], [], []]);
  expect(issues.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined, 'acme-app-3']);
  for (const issue of issues) expect(await legion.read(issue.id, SIGNAL)).toEqual(issue);
});

/** By a list and by reading it alone, which must agree. */
async function waitsFor(legion: GithubTracker, id: string): Promise<readonly string[]> {
  const listed = (await legion.list(SIGNAL)).find((issue) => issue.id === id);
  expect(await legion.read(id, SIGNAL)).toEqual(listed);
  return listed?.openBlockers ?? ['it is not on the board'];
}
