/** Counts the requests that are needed to read the pull requests of a large board. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEVER, withLine } from '../../../ports/forge/conformance/forge-under-test.ts';
import { git } from '../../../ports/forge/git.ts';
import { useWorld } from './use-world.ts';
import { REPO, WRITER } from './world.ts';

const MANY = 200;
const MINUTE_MS = 60_000;
/** Two hundred pull requests are created one by one, possibly on a busy machine. */
const LIMIT_MS = 120_000;

const present = useWorld('one');

/**
 * Writes directly into the repository's files, because two hundred git processes would take too
 * long.
 */
async function manyPullRequests(): Promise<string[]> {
  const { people } = present().github();
  const bare = people.folder(REPO);
  const tree = await git(bare, 'rev-parse', 'main^{tree}');
  const commit = await git(bare, 'commit-tree', tree, '-p', 'main', '-m', 'Work');
  const branches = Array.from({ length: MANY }, (_, at) => `eng-${at}`);
  for (const branch of branches) writeFileSync(join(bare, 'refs/heads', branch), `${commit}\n`);
  for (const head of branches) await people.pullRequest(WRITER, REPO, { head, title: head, body: '' });
  return branches;
}

test(
  'reading two hundred pull requests takes two requests at first, one if nothing has changed, and two if something has',
  async () => {
    await present().make();
    const branches = await manyPullRequests();
    const { people, checks } = present().github();
    // Waits a minute, because recently changed pull requests are read twice.
    present().clock.advance(MINUTE_MS);
    const issue = people.issue(REPO, { author: WRITER, title: 'Greet' });
    const issueOf = () => ({ owner: 'acme', repo: 'app', number: issue });
    const forge = await present().open({ issueOf });
    const look = async () => {
      const found = await forge.pullRequests(branches, NEVER);
      expect(found.size).toBe(MANY);
      return { found, asked: present().asked() };
    };
    present().asked();
    expect((await look()).asked.filter((name) => name !== 'Viewer')).toEqual([
      'PullRequests',
      'PullRequests',
    ]);
    expect((await look()).asked).toEqual(['PullRequestDigest']);

    people.label(WRITER, REPO, 7, { add: ['bug'] });
    const changed = await look();
    expect(changed.asked).toEqual(['PullRequestDigest', 'PullRequestsById']);
    expect(changed.found.get('eng-6')).toMatchObject({ number: 7, labels: ['bug'] });

    // Changes to checks and to the base need no further request, because the digest itself contains
    // both.
    present().clock.advance(MINUTE_MS);
    await look();
    const sha = await git(people.folder(REPO), 'rev-parse', 'eng-0');
    checks.run(REPO, sha, { name: 'unit', conclusion: 'FAILURE' });
    const baseSha = await present().hand.commitToBase({ 'app.txt': withLine(1, 'moved') });
    const moved = await look();
    expect(moved.asked).toEqual(['PullRequestDigest']);
    expect(moved.found.get('eng-0')).toMatchObject({ ci: 'failing', baseSha });

    present().clock.advance(31 * MINUTE_MS);
    expect((await look()).asked, 'everything is read in full after half an hour').toEqual([
      'PullRequests',
      'PullRequests',
    ]);
    const points = present()
      .github()
      .requests()
      .map(({ cost }) => cost);
    expect(Math.max(...points), 'of 5,000 an hour').toBeLessThan(50);
  },
  LIMIT_MS,
);
