/**
 * A home with a simulated GitHub: a clone of `acme/app` with the board `acme/1`, and the token of a
 * person with write access.
 */
import { execFileSync } from 'node:child_process';
import type { GithubSimulator, NewProject } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import { unwrap } from '../../../src/lib/result.ts';
import { type Home, makeRepository, newHome } from './home.ts';
import { type Outcome, perform } from './in-process.ts';

export const REPO = 'acme/app';

export interface GithubHome {
  readonly github: GithubSimulator;
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  /** Token of a person with write access, in the variable `TOKEN`. */
  readonly token: string;
  /** State directory of `acme/1`. */
  readonly state: string;
  /** Runs a command in the clone, with `token` as its only credential. */
  run(...argv: string[]): Promise<Outcome>;
  /** Runs `legion init` with options for the GitHub URL and for the source of the token. */
  init(...argv: string[]): Promise<Outcome>;
  /** Columns of all issues, in the order of their numbers. */
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
    github,
    home,
    env,
    token,
    run,
    state: unwrap(resolveLegionPaths(env)).state('acme/1'),
    init: (...argv) => run('init', '--github-url', github.url, '--token', 'env:TOKEN', ...argv),
    columns: () => github.snapshot().issues.map(({ statuses }) => statuses['acme/1']),
    async close() {
      await github.close();
      home.remove();
    },
  };
}
