/** Whose an issue is, where the board holds no code. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openPlaces, placeByMarks } from '../../../src/daemon/compose-places.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import type { Issue } from '../../../src/domain/issue.ts';
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
  ['no mark: the first is the default', {}, 'acme/app'],
  ['a label, in any case', { labels: ['bug', 'WEB'] }, 'acme/web'],
  ['a project', { project: 'manual' }, 'acme/docs'],
  ['a label says more than a project', { labels: ['ui'], project: 'Manual' }, 'acme/web'],
  ['of two labels the first repository that is configured', { labels: ['docs', 'ui'] }, 'acme/web'],
  ['marks of nobody', { labels: ['other'], project: 'Other' }, 'acme/app'],
])('%s', (_, marks, repository) => {
  expect(placeByMarks(issue('ENG-1', marks), ENTRIES)).toBe(repository);
});

test('an issue stays where the work on it began, after a restart and whatever its labels become', () => {
  const state = stateFolder();
  const troubles = new Troubles(systemClock, () => undefined);
  const board = new Map([['ENG-1', issue('ENG-1', { labels: ['docs'] })]]);
  const open = () => openPlaces({ state, entries: ENTRIES, troubles, board });
  const places = open();
  expect([places.of('ENG-1'), places.of('ENG-2')]).toEqual(['acme/docs', undefined]);
  places.settle('ENG-1', 'acme/docs');
  board.set('ENG-1', issue('ENG-1', { labels: ['web'] }));
  expect(open().of('ENG-1')).toBe('acme/docs');
  board.clear();
  expect(open().of('ENG-1'), 'before anything was seen').toBe('acme/docs');
});

test('a label for another repository, once work has begun, is told and told no more when it is gone', () => {
  const troubles = new Troubles(systemClock, () => undefined);
  const board = new Map(['ENG-1', 'ENG-2'].map((id) => [id, issue(id, { labels: ['web'] })]));
  const places = openPlaces({ state: stateFolder(), entries: ENTRIES, troubles, board });
  places.settle('ENG-1', 'acme/docs');
  places.compare();
  expect(troubles.list().map(({ message }) => message)).toEqual([
    'ENG-1 is marked for acme/web, but the work on it began in acme/docs and stays there',
  ]);
  board.set('ENG-1', issue('ENG-1', { labels: ['docs'] }));
  places.compare();
  expect(troubles.list()).toEqual([]);
});

test('a file that cannot be read is refused: work would go to another repository', () => {
  const state = stateFolder();
  writeFileSync(join(state, 'issue-places.json'), '{"ENG-1": 7}');
  const troubles = new Troubles(systemClock, () => undefined);
  expect(() => openPlaces({ state, entries: ENTRIES, troubles, board: new Map() })).toThrow(
    'it says in which repository the work on each issue began',
  );
});
