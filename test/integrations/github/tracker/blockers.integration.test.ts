/**
 * Tests an issue's blockers, on the boards and elsewhere: GitHub's own dependencies, and blockers
 * declared in the issue's text.
 */
import { expect, test } from 'vitest';
import type { GithubTracker } from '../../../../src/integrations/github/tracker/open-github-tracker.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { OUTSIDER, REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const OTHER = 'acme/lib';
const SETTLED_S = 60;
const HALF_AN_HOUR_S = 30 * 60;

const stage = useSimulated();

test('blocks an issue until its GitHub dependency is closed, even if the dependency is on no board', async () => {
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

test('respects a blocker declared in the text until the text changes', async () => {
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

test('while nothing changes, sends only the `BoardDigest` request and no separate requests for blockers', async () => {
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
  // A full read includes blockers only if they are on a board. All other blockers are requested
  // separately.
  pass(HALF_AN_HOUR_S);
  people.reopenIssue(WRITER, OTHER, 1);
  expect(await legion.list(SIGNAL)).toEqual(first);
});

test('finds more than a hundred blocked issues', async () => {
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

test('ignores blockers of Done or closed issues, and does not treat a sub-issue as its parent’s blocker', async () => {
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

/**
 * Returns the issue's blockers as listed, after checking that a read of the issue alone returns the
 * same.
 */
async function waitsFor(legion: GithubTracker, id: string): Promise<readonly string[]> {
  const listed = (await legion.list(SIGNAL)).find((issue) => issue.id === id);
  expect(await legion.read(id, SIGNAL)).toEqual(listed);
  return listed?.openBlockers ?? ['not on the board'];
}
