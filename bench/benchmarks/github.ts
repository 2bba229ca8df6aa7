/**
 * Counts the requests needed to read a large GitHub board: the first time, and while nothing
 * changes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GithubSimulator, ProjectName } from '../../simulators/github/simulator.ts';
import { startGithub } from '../../simulators/github/start.ts';
import type { Clock } from '../../src/core/model/clock.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { openGithub } from '../../src/integrations/github/client/open.ts';
import { openGithubForge } from '../../src/integrations/github/forge/github-forge.ts';
import { openGithubTracker } from '../../src/integrations/github/tracker/open-github-tracker.ts';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measurement.ts';

const REPO = 'acme/app';
const ISSUES = 1_000;
const PULL_REQUESTS = 200;
const INITIAL_READ_GOAL = 13;
const UNCHANGED_GOAL = 2;
/**
 * Time between creating the board and reading it. Timestamps have a resolution of one second, so
 * changes made shortly before a read would be read again by the next one.
 */
const SETTLED_MS = 60_000;

export const githubBench: Bench = {
  name: 'github',
  description: 'requests for a large board on GitHub',
  deadlineMs: 180_000,
  run: ({ signal }) => countRequests(signal),
};

async function countRequests(signal: AbortSignal): Promise<Measurement[]> {
  let now = Date.UTC(2030, 0, 1);
  const clock: Clock = { now: () => now, monotonic: () => now, sleep: () => new Promise(() => undefined) };
  const folder = mkdtempSync(join(tmpdir(), 'legion-bench-github-'));
  const github = await startGithub({ clock });
  try {
    const { project, branches, token } = await createIssuesAndPullRequests(github);
    now += SETTLED_MS;
    const client = openGithub({
      url: github.url,
      environment: {},
      clock,
      writeSpacingMs: 0,
      identities: { legion: { kind: 'token', token } },
    });
    const tracker = await openGithubTracker({
      client,
      clock,
      projects: [project],
      accounts: [await client.login()],
      columns: () => ({}),
      repositories: () => [REPO],
      authors: () => ({ trust: 'writers', also: [] }),
    });
    const clone = join(folder, 'clone.git');
    execFileSync('git', ['clone', '--quiet', '--bare', github.people.folder(REPO), clone]);
    const forge = await openGithubForge({
      client,
      clock,
      clone,
      base: 'main',
      repo: { owner: 'acme', name: 'app' },
      remote: `${github.url}/${REPO}.git`,
      environment: process.env,
      issueOf: () => undefined,
      isLegion: () => false,
      access: () => client.credentials.gitAccess(),
      identity: () => client.credentials.gitIdentity(),
    });
    const look = async () => {
      const before = github.requests().length;
      const [issues, pulls] = [await tracker.list(signal), await forge.pullRequests(branches, signal)];
      if (issues.length !== ISSUES || pulls.size !== PULL_REQUESTS)
        throw new Error('The board is incomplete.');
      return github.requests().length - before;
    };
    const [first, unchanged] = [await look(), await look()];
    await forge.close();
    await client.close();
    return [
      toPointsMeasurement('first', first, INITIAL_READ_GOAL),
      toPointsMeasurement('unchanged', unchanged, UNCHANGED_GOAL),
    ];
  } finally {
    await github.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createIssuesAndPullRequests({ people }: GithubSimulator) {
  people.organization('acme', ['ada']);
  await people.repository(REPO);
  people.grant(REPO, 'ada', 'WRITE');
  const project: ProjectName = `acme/${people.project('acme', { statuses: STATUSES })}`;
  for (let number = 1; number <= ISSUES; number += 1)
    people.issue(REPO, {
      author: 'ada',
      title: `Issue ${number}`,
      body: 'Text.',
      project,
      status: 'Backlog',
    });
  const bare = people.folder(REPO);
  const git = (...args: string[]) => execFileSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).trim();
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const commit = git(...who, 'commit-tree', git('rev-parse', 'main^{tree}'), '-p', 'main', '-m', 'Work');
  const branches = Array.from({ length: PULL_REQUESTS }, (_, at) => `acme-app-${at + 1}`);
  // Writes the ref files directly, because 200 git processes would be slow.
  for (const branch of branches) writeFileSync(join(bare, 'refs/heads', branch), `${commit}\n`);
  for (const head of branches) await people.pullRequest('ada', REPO, { head, title: head, body: '' });
  return { project, branches, token: people.token('ada') };
}

function toPointsMeasurement(when: string, value: number, most: number): Measurement {
  const name = `GitHub, ${ISSUES} issues, ${PULL_REQUESTS} pull requests: ${when} read`;
  return { name, value, unit: 'requests', goal: `≤ ${most}`, met: value <= most };
}
