import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evolve } from '../../../src/core/state/evolve.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { observeBoard } from '../../../src/daemon/context/observer.ts';
import { openLocalForge } from '../../../src/integrations/local/forge/local-forge.ts';
import { openLocalBoard } from '../../../src/integrations/local/tracker/open-local-board.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import { git } from '../../ports/forge/git.ts';

const { signal } = new AbortController();
const NEW = { body: '', labels: [], priority: 0, blockedBy: [] } as const;
let folder: string;
let repository: string;
let tracker: LocalBoard;
let forge: Forge;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-observe-')));
  repository = join(folder, 'repository');
  await git(folder, 'init', '--quiet', '--initial-branch=main', repository);
  await commit('README.md', 'hello\n');
  tracker = await openLocalBoard(join(folder, 'board.db'), { prefix: 'A', now: systemClock.now });
  forge = await openLocalForge({
    repository,
    base: 'main',
    state: join(folder, 'forge'),
    identity: { name: 'Legion', email: 'legion@example.invalid' },
    clock: systemClock,
    environment: process.env,
  });
});

afterEach(async () => {
  await forge.close();
  await tracker.dispose();
  rmSync(folder, { recursive: true });
});

test('returns every issue with its status, and returns a pull request only in statuses that need one', async () => {
  const working = await tracker.create('1', { ...NEW, title: 'Work', status: 'In Progress' });
  const waiting = await tracker.create('2', { ...NEW, title: 'Wait', status: 'Backlog' });
  await openPullRequest(working);
  const seen = await observe();
  expect(seen.map(({ issue, status }) => [issue.id, status])).toEqual([
    [working, 'In Progress'],
    [waiting, 'Backlog'],
  ]);
  expect(seen[0]?.pullRequest).toMatchObject({ state: 'open', changedFiles: [`${working}.txt`] });
  expect(seen[1]?.pullRequest).toBe('none');
});

test('returns no pull request for an issue in Testing that has none', async () => {
  await tracker.create('1', { ...NEW, title: 'Work', status: 'Testing' });
  expect((await observe())[0]).toMatchObject({ pullRequest: 'none', changes: new Map() });
});

test('returns the files changed since evidence was recorded', async () => {
  const issue = await tracker.create('1', { ...NEW, title: 'Work', status: 'Testing' });
  const proven = await openPullRequest(issue);
  await git(repository, 'checkout', '--quiet', issue);
  await commit('late.txt', 'more\n');
  await git(repository, 'checkout', '--quiet', 'main');
  const state = createLegionState();
  evolve(state, {
    type: 'evidence.recorded',
    issue,
    kind: 'test',
    revision: 1,
    sha: proven,
    verdict: 'passed',
    by: 'w',
    suites: [],
    detail: '',
    seq: 1,
    at: 1,
    epoch: 0,
  });
  const [seen] = await observeBoard({ tracker, forgeOf: () => forge, columns: {} }, state, signal);
  expect(seen?.changes).toEqual(new Map([[proven, { own: ['late.txt'], overlap: [], rebased: false }]]));
});

test('leaves pull requests unknown if the forge cannot be read, and still returns the board', async () => {
  await tracker.create('1', { ...NEW, title: 'Work', status: 'In Progress' });
  const away: Forge = { ...forge, pullRequests: () => Promise.reject(new Error('away')) };
  const [seen] = await observeBoard(
    { tracker, forgeOf: () => away, columns: {} },
    createLegionState(),
    signal,
  );
  expect(seen).toMatchObject({ status: 'In Progress', pullRequest: 'unknown' });
});

test('rejects if the board cannot be read completely, and never returns an empty board', async () => {
  await tracker.dispose();
  await expect(observe()).rejects.toMatchObject({ code: 'tracker.closed' });
});

test('treats an Icebox issue as clarified once a person adds details, but not after an “ok” or a comment by Legion itself', async () => {
  const issue = await tracker.create('1', { ...NEW, title: 'Vague', status: 'Icebox' });
  await tracker.comment(
    issue,
    'q',
    'What should it do, which steps reproduce it, and what must be true when it is done?',
  );
  expect((await observe())[0]?.clarified).toBe(false);
  await tracker.say(issue, 'ada', 'ok');
  expect((await observe())[0]?.clarified).toBe(false);
  await tracker.say(
    issue,
    'ada',
    'The export should have a line for each item, and must end with a line for the sum.',
  );
  expect((await observe())[0]?.clarified).toBe(true);
});

test('reads the changed files in Retro, with both texts of a manifest', async () => {
  const issue = await tracker.create('1', { ...NEW, title: 'Work', status: 'Retro' });
  await openPullRequest(issue, 'package.json');
  expect((await observe())[0]?.diff).toEqual([
    { path: 'package.json', lines: 1, text: { before: '', after: '{}\n' } },
  ]);
});

test('does not read the changed files before Retro', async () => {
  const issue = await tracker.create('1', { ...NEW, title: 'Work', status: 'Testing' });
  await openPullRequest(issue, 'package.json');
  expect((await observe())[0]?.diff).toBeUndefined();
});

function observe() {
  return observeBoard({ tracker, forgeOf: () => forge, columns: {} }, createLegionState(), signal);
}

/**
 * Creates a branch named after the issue, with one commit and a pull request. Resolves to the head
 * commit.
 */
async function openPullRequest(issue: string, file = `${issue}.txt`): Promise<string> {
  await git(repository, 'checkout', '--quiet', '-b', issue);
  await commit(file, '{}\n');
  const head = await git(repository, 'rev-parse', 'HEAD');
  await git(repository, 'checkout', '--quiet', 'main');
  await forge.open(issue, { title: 'Work', body: `Closes ${issue}`, draft: false, issue, author: 'worker' });
  return head;
}

async function commit(file: string, text: string): Promise<void> {
  writeFileSync(join(repository, file), text);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message', `Add ${file}`);
}
