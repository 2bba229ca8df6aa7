/** Sets up a simulated GitHub with one board, and clients for it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { type GithubOptions, startGithub } from '../../../simulators/github/start.ts';

export const REPO = 'acme/app';

export interface Stage {
  readonly github: GithubSimulator;
  /** Token of `ada`, who has write access. */
  readonly token: string;
  readonly graphql: Ask;
  rest(
    route: string,
    how?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RestAnswer>;
  git(cwd: string, ...args: string[]): Promise<string>;
  folder(): string;
  /** Returns a clone URL that contains this token. */
  remote(token?: string): string;
}

type Ask = (query: string, variables?: object, token?: string) => Promise<GraphqlAnswer>;

interface GraphqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the query's
  readonly data: any;
  readonly errors: readonly { readonly type?: string; readonly message: string; readonly path?: unknown }[];
}

interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the route's
  readonly body: any;
}

const run = promisify(execFile);
const OPEN: GithubSimulator[] = [];

/** Closes everything a test opened. Call after each test, before the check for leftovers. */
export async function closeStages(): Promise<void> {
  await Promise.all(OPEN.splice(0).map((github) => github.close()));
}

/** Creates `acme/app`, to which ada and bob have write access, and the board acme/1 with its issues. */
export async function stage(options: GithubOptions = {}): Promise<Stage> {
  const github = await startGithub(options);
  OPEN.push(github);
  const { people } = github;
  people.organization('acme', ['ada', 'bob']);
  people.user('eve');
  await people.repository(REPO, { labels: ['bug'], files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  people.grant(REPO, 'ada', 'WRITE');
  people.grant(REPO, 'bob', 'MAINTAIN');
  people.project('acme', {
    statuses: ['Todo', 'In Progress', 'Done'],
    fields: { Priority: ['High', 'Low'] },
  });
  const token = people.token('ada');

  return {
    github,
    token,
    async graphql(query, variables = {}, as = token) {
      const response = await fetch(`${github.url}/api/graphql`, {
        method: 'POST',
        headers: { authorization: `bearer ${as}`, connection: 'close' },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors = [] } = (await response.json()) as GraphqlAnswer;
      return { status: response.status, headers: response.headers, data, errors };
    },
    async rest(route, { token: as = token, body, headers } = {}) {
      const [method = '', path = ''] = route.split(' ');
      const response = await fetch(`${github.url}/api/v3${path}`, {
        method,
        headers: { authorization: `bearer ${as}`, connection: 'close', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    async git(cwd, ...args) {
      const { stdout } = await run('git', args, { cwd, env: { ...process.env, ...WHO } });
      return stdout.trim();
    },
    folder: () => realpathSync(mkdtempSync(join(inject('scratch'), 'github-'))),
    remote: (as = token) => `${github.url.replace('//', `//x-access-token:${as}@`)}/${REPO}.git`,
  };
}

const WHO = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
};
