/** Tests the assignment of issues to repositories on a board that is not tied to a repository. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { chooseRepository, openIssueRouter } from '../../../src/daemon/repositories/routing.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';

const ENTRIES = [
  { repo: 'acme/app' },
  { repo: 'github.example.com/acme/web', labels: ['Web', 'ui'], projects: ['Site'] },
  { repo: 'acme/docs', labels: ['docs'], projects: ['Manual'] },
];

const stateFolder = () => mkdtempSync(join(inject('scratch'), 'places-'));

function issue(id: string, marks: Partial<Issue> = {}): Issue {
  const source = { kind: 'linear', uuid: id, identifier: id } as const;
  const text = { title: 'T', body: '', column: 'Todo', priority: 0, createdAt: 0, openBlockers: [] } as const;
  return { id, source, labels: [], ...text, ...marks };
}

test.each<[string, Partial<Issue>, string]>([
  ['uses the first repository for an issue without labels or a project', {}, 'acme/app'],
  ['matches a label, ignoring case', { labels: ['bug', 'WEB'] }, 'acme/web'],
  ['matches a project', { project: 'manual' }, 'acme/docs'],
  ['prefers a label to a project', { labels: ['ui'], project: 'Manual' }, 'acme/web'],
  ['prefers the repository that is configured first', { labels: ['docs', 'ui'] }, 'acme/web'],
  [
    'uses the first repository for an unknown label and project',
    { labels: ['other'], project: 'Other' },
    'acme/app',
  ],
])('%s', (_, marks, repository) => {
  expect(chooseRepository(issue('ENG-1', marks), ENTRIES)).toBe(repository);
});

test('keeps an issue in the repository where its work began, even after a restart or a label change', () => {
  const state = stateFolder();
  const problems = new ActiveProblems(systemClock, () => undefined);
  const board = new Map([['ENG-1', issue('ENG-1', { labels: ['docs'] })]]);
  const open = () => openIssueRouter({ state, entries: ENTRIES, problems: problems, board });
  const places = open();
  expect([places.findRepository('ENG-1'), places.findRepository('ENG-2')]).toEqual(['acme/docs', undefined]);
  places.assign('ENG-1', 'acme/docs');
  board.set('ENG-1', issue('ENG-1', { labels: ['web'] }));
  expect(open().findRepository('ENG-1')).toBe('acme/docs');
  board.clear();
  expect(open().findRepository('ENG-1'), 'before the first read').toBe('acme/docs');
});

test('once work has begun, reports a label for another repository until the label is removed', () => {
  const problems = new ActiveProblems(systemClock, () => undefined);
  const board = new Map(['ENG-1', 'ENG-2'].map((id) => [id, issue(id, { labels: ['web'] })]));
  const places = openIssueRouter({ state: stateFolder(), entries: ENTRIES, problems: problems, board });
  places.assign('ENG-1', 'acme/docs');
  places.reportMismatches();
  expect(problems.list().map(({ message }) => message)).toEqual([
    'ENG-1 is marked for acme/web, but its work began in acme/docs and stays there',
  ]);
  board.set('ENG-1', issue('ENG-1', { labels: ['docs'] }));
  places.reportMismatches();
  expect(problems.list()).toEqual([]);
});

test('throws on an unreadable routing file instead of sending work to another repository', () => {
  const state = stateFolder();
  writeFileSync(join(state, 'issue-places.json'), '{"ENG-1": 7}');
  const problems = new ActiveProblems(systemClock, () => undefined);
  expect(() => openIssueRouter({ state, entries: ENTRIES, problems: problems, board: new Map() })).toThrow(
    'It records in which repository the work on each issue began',
  );
});
