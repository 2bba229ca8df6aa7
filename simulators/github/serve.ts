/** `npm run github`: a simulated GitHub for trying Legion on it without an account. */
import { parseArgs } from 'node:util';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEMO_REPO, seedDemo } from './demo.ts';
import type { GithubSimulator } from './simulator.ts';
import { startGithub } from './start.ts';

const USAGE = `Usage: npm run github -- [--port N] [--repo OWNER/NAME] [--statuses A,B,C]
       npm run github -- --demo [--port N]

Serves a GitHub of its own on loopback: both APIs, git over HTTP, one organization with a repository and a board, and the
account ada who may write to them. Everything is gone when it ends. It runs until it is interrupted.

With --demo it serves the sample project of \`legion demo\` instead, with CI and accounts for both roles, and says how to play it.`;

const MOST_PORT = 65_535;

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      repo: { type: 'string', default: 'acme/app' },
      statuses: { type: 'string', default: STATUSES.join(',') },
      demo: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) say(USAGE);
  else await serve(values);
} catch (error) {
  process.stderr.write(`github: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 2;
}

interface Wanted {
  readonly port: string;
  readonly repo: string;
  readonly statuses: string;
  readonly demo: boolean;
}

async function serve({ port: wantedPort, repo, statuses, demo }: Wanted): Promise<void> {
  const port = Number(wantedPort);
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT) {
    throw new Error(`--port takes a whole number up to ${MOST_PORT}, got ${wantedPort}`);
  }
  if (demo) return serveDemo(port);
  const [, owner, name] = /^([\w-]+)\/([\w.-]+)$/.exec(repo) ?? [];
  if (owner === undefined || name === undefined) throw new Error(`--repo takes OWNER/NAME, got ${repo}`);
  const columns = statuses.split(',').map((status) => status.trim());
  if (columns.includes('')) throw new Error('--statuses takes names with commas between them');

  const github = await startGithub({ port });
  const { people } = github;
  people.organization(owner, ['ada']);
  await people.repository(`${owner}/${name}`);
  people.grant(`${owner}/${name}`, 'ada', 'ADMIN');
  const project = people.project(owner, { title: name, statuses: columns });
  const issue = people.issue(`${owner}/${name}`, {
    author: 'ada',
    title: 'Say hello',
    body: 'The README should say hello.',
    project: `${owner}/${project}`,
    status: columns.includes('Todo') ? 'Todo' : (columns[0] ?? ''),
  });
  const token = people.token('ada');
  endWhenTold(github);
  say(`A simulated GitHub is at ${github.url}, with the board ${owner}/${project} and the issue ${owner}/${name}#${issue} on it.

Legion finds it with this in its configuration, and with GITHUB_TOKEN set as below:

  github:
    url: ${github.url}
  credentials:
    github:
      token: env:GITHUB_TOKEN

  export GITHUB_TOKEN=${token}   # ada's
  git clone ${github.url.replace('//', `//x-access-token:${token}@`)}/${owner}/${name}.git
`);
}

async function serveDemo(port: number): Promise<void> {
  const github = await startGithub({ port });
  const { project, tokens } = await seedDemo(github);
  endWhenTold(github);
  say(`A simulated GitHub is at ${github.url}, with the board ${project} and the sample project in ${DEMO_REPO}.

Play the demo on it, once, in another shell:

  export DEMO_TOKEN=${tokens.ada}          # ada's
  export DEMO_TOKEN_IMPL=${tokens.impl}     # of the account that implements and merges
  export DEMO_TOKEN_REVIEW=${tokens.review}   # of the account that does all the rest
  legion demo --github-url ${github.url} --project ${project} --repo ${DEMO_REPO} --token-variable DEMO_TOKEN
`);
}

function endWhenTold(github: GithubSimulator): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal finds nobody listening, and ends it at once.
    process.once(signal, () => void github.close());
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
