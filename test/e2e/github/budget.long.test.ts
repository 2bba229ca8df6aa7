/**
 * Counts the requests of a whole daemon on a large board: during the first read, during a pass
 * without changes, and while few API points are left.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { buildDemoScenario, STORIES } from '../../../src/demo/stories.ts';
import { git } from '../../ports/forge/git.ts';
import { type GithubDaemon, setUpGithubDaemons } from './github-legion.ts';
import { numberIssues } from './person.ts';

const startDaemon = setUpGithubDaemons();
const MAX_TEST_MS = 300_000;
const ISSUES = 1_000;
const PULL_REQUESTS = 200;
/** The documented maximum numbers of requests. */
const MAX_FIRST_READ = 13;
const MAX_UNCHANGED = 2;
const WATCHED_MS = 12_000;

/**
 * Fills the board so that nothing is due. The first issues have pull requests and wait for a
 * person; the others are in the Icebox or Done.
 */
async function fill({ github: { people }, seed }: GithubDaemon): Promise<void> {
  const { project } = seed;
  for (let number = 1; number <= ISSUES; number += 1) {
    const isOpen = number <= PULL_REQUESTS;
    const status = isOpen ? 'Needs Review' : number % 2 === 0 ? 'Icebox' : 'Done';
    const labels = isOpen ? ['legion-paused'] : [];
    people.issue(DEMO_REPO, {
      author: 'ada',
      title: `Issue ${number}`,
      body: 'Text.',
      labels,
      project,
      status,
    });
    if (status === 'Done') people.closeIssue('ada', DEMO_REPO, number);
  }
  const bare = people.folder(DEMO_REPO);
  const tree = await git(bare, 'rev-parse', 'main^{tree}');
  const commit = await git(bare, 'commit-tree', tree, '-p', 'main', '-m', 'Work');
  // Writes refs directly into the repository's files, because two hundred git processes would be
  // slow.
  const heads = Array.from({ length: PULL_REQUESTS }, (_, at) => `legion-demo-${at + 1}`);
  for (const head of heads) writeFileSync(join(bare, 'refs/heads', head), `${commit}\n`);
  for (const head of heads)
    await people.pullRequest('legion-impl', DEMO_REPO, { head, title: head, body: `Closes ${head}` });
}

test(
  'reads a thousand issues and two hundred pull requests in at most thirteen requests, and polls them in at most two if nothing has changed',
  async () => {
    const daemon = await startDaemon({
      ...buildDemoScenario(numberIssues(STORIES)),
      yaml: 'polling: { interval: 2s, slow_after: 1000 }\n',
    });
    const { github } = daemon;
    await fill(daemon);
    const asked = () => github.requests().map(({ name }) => name);
    const looks = (names: readonly string[]) => names.filter((name) => name === 'BoardDigest').length;
    // Waits a second, because very recent changes would be read a second time.
    await sleep(1_100);
    await daemon.start();
    await waitUntil(() => looks(asked()) > 0);
    const names = asked();
    const first = names.slice(0, names.indexOf('BoardDigest')).filter((name) => !OPENING.has(name));
    expect(first.length, first.join(', ')).toBeLessThanOrEqual(MAX_FIRST_READ);
    expect(first.filter((name) => name === 'BoardPage')).toHaveLength(ISSUES / 100);

    await waitUntil(() => looks(asked()) > 2);
    const before = asked().length;
    await sleep(WATCHED_MS);
    const later = countBoardReads(asked().slice(before));
    expect(looks(later)).toBeGreaterThan(2);
    expect(later.length / looks(later), later.join(', ')).toBeLessThanOrEqual(MAX_UNCHANGED);

    // With a fifth of the hour's points left, a pass runs about every ten seconds instead of every
    // two.
    github.faults.points(5_000, 1_000);
    await sleep(WATCHED_MS);
    const short = asked().length;
    await sleep(WATCHED_MS);
    const seldom = asked().slice(short);
    expect(looks(seldom), 'while few points are left').toBeLessThanOrEqual(looks(later) / 2);
    expect(await daemon.events()).not.toContainEqual(expect.objectContaining({ type: 'attempt.dispatched' }));
  },
  MAX_TEST_MS,
);

/**
 * Requests about Legion's accounts and permissions, sent at the start and then four times an hour.
 */
const OPENING: ReadonlySet<string> = new Set([
  'Viewer',
  'GET /users/{username}',
  'CheckProject',
  'CheckRepository',
  'CheckPullRequests',
  'GET /repos/{owner}/{repo}/actions/runs',
]);

/** Returns the request names from the start of the first pass to the start of the last. */
function countBoardReads(names: readonly string[]): readonly string[] {
  return names.slice(names.indexOf('BoardDigest'), names.lastIndexOf('BoardDigest'));
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('not within two minutes');
    await sleep(50);
  }
}
