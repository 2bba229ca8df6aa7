/** A home beside a simulated GitHub: the clone of `acme/app`, whose board is `acme/1`, and the token of somebody who may write. */
import { execFileSync } from 'node:child_process';
import type { GithubSimulator, NewProject } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { legionPaths } from '../../../src/config/paths.ts';
import { unwrap } from '../../../src/lib/result.ts';
import { type Home, makeRepository, newHome } from './home.ts';
import { type Outcome, perform } from './in-process.ts';

export const REPO = 'acme/app';

export interface GithubHome {
  readonly github: GithubSimulator;
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  /** Of somebody who may write; in the variable `TOKEN`. */
  readonly token: string;
  /** The state folder of `acme/1`. */
  readonly state: string;
  /** In the clone, as somebody who gives no token but this one. */
  run(...argv: string[]): Promise<Outcome>;
  /** The same, with where GitHub is and where its token is. */
  init(...argv: string[]): Promise<Outcome>;
  /** The columns of all issues, by their numbers. */
  columns(): readonly (string | null | undefined)[];
  close(): Promise<void>;
}

export async function githubHome(project: NewProject = {}): Promise<GithubHome> {
  const github = await startGithub();
  const { people } = github;
  people.organization('acme', ['ada']);
  await people.repository(REPO);
  people.grant(REPO, 'ada', 'WRITE');
  people.project('acme', { title: 'The app', ...project });
  const home = newHome();
  makeRepository(home.repository);
  const origin = ['remote', 'add', 'origin', `${github.url}/${REPO}.git`];
  execFileSync('git', origin, { cwd: home.repository });
  const token = people.token('ada');
  const env = { ...home.env, TOKEN: token };
  const run = (...argv: string[]) => perform({ cwd: home.repository, env }, ...argv);
  return {
    ...{ github, home, env, token, run },
    state: unwrap(legionPaths(env)).state('acme/1'),
    init: (...argv) => run('init', '--github-url', github.url, '--token', 'env:TOKEN', ...argv),
    columns: () => github.snapshot().issues.map(({ statuses }) => statuses['acme/1']),
    async close() {
      await github.close();
      home.remove();
    },
  };
}
