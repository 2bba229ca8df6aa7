/** What a large board costs a whole daemon: its first read, a look at which nothing has changed, and looks when points run low. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import { STORIES, scenario } from '../../../src/demo/stories.ts';
import { git } from '../../ports/forge/git.ts';
import { type GithubLife, githubStage } from './github-legion.ts';
import { numberedOn } from './person.ts';

const begin = githubStage();
const MOST_MS = 300_000;
const ISSUES = 1_000;
const PULL_REQUESTS = 200;
/** As promised. */
const FIRST_READ_MOST = 13;
const UNCHANGED_MOST = 2;
const WATCHED_MS = 12_000;

/** Nothing is due on it: the first wait for a person with their pull requests, the others lie in the Icebox or are Done. */
async function fill({ github: { people }, seed }: GithubLife): Promise<void> {
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
  // Straight into the files of the repository: two hundred processes of git would only take time.
  const heads = Array.from({ length: PULL_REQUESTS }, (_, at) => `legion-demo-${at + 1}`);
  for (const head of heads) writeFileSync(join(bare, 'refs/heads', head), `${commit}\n`);
  for (const head of heads)
    await people.pullRequest('legion-impl', DEMO_REPO, { head, title: head, body: `Closes ${head}` });
}

test(
  'a thousand issues and two hundred pull requests are read in thirteen requests, and looked at again in two',
  async () => {
    const life = await begin({
      ...scenario(numberedOn(STORIES)),
      yaml: 'polling: { interval: 2s, slow_after: 1000 }\n',
    });
    const { github } = life;
    await fill(life);
    const asked = () => github.requests().map(({ name }) => name);
    const looks = (names: readonly string[]) => names.filter((name) => name === 'BoardDigest').length;
    // Before the second: what was changed a moment ago is read once more.
    await sleep(1_100);
    await life.start();
    await waitUntil(() => looks(asked()) > 0);
    const names = asked();
    const first = names.slice(0, names.indexOf('BoardDigest')).filter((name) => !OPENING.has(name));
    expect(first.length, first.join(', ')).toBeLessThanOrEqual(FIRST_READ_MOST);
    expect(first.filter((name) => name === 'BoardPage')).toHaveLength(ISSUES / 100);

    await waitUntil(() => looks(asked()) > 2);
    const before = asked().length;
    await sleep(WATCHED_MS);
    const later = wholeLooks(asked().slice(before));
    expect(looks(later)).toBeGreaterThan(2);
    expect(later.length / looks(later), later.join(', ')).toBeLessThanOrEqual(UNCHANGED_MOST);

    // A fifth is left of what the hour began with: a look every ten seconds or so instead of every two.
    github.faults.points(5_000, 1_000);
    await sleep(WATCHED_MS);
    const short = asked().length;
    await sleep(WATCHED_MS);
    const seldom = asked().slice(short);
    expect(looks(seldom), 'while points are short').toBeLessThanOrEqual(looks(later) / 2);
    expect(await life.events()).not.toContainEqual(expect.objectContaining({ type: 'attempt.dispatched' }));
  },
  MOST_MS,
);

/** Requests about Legion's accounts and their permissions, made at the start and then four times an hour. */
const OPENING: ReadonlySet<string> = new Set([
  'Viewer',
  'GET /users/{username}',
  'CheckProject',
  'CheckRepository',
  'CheckPullRequests',
  'GET /repos/{owner}/{repo}/actions/runs',
]);

/** From the beginning of one look to the beginning of another. */
function wholeLooks(names: readonly string[]): readonly string[] {
  return names.slice(names.indexOf('BoardDigest'), names.lastIndexOf('BoardDigest'));
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('not within two minutes');
    await sleep(50);
  }
}
