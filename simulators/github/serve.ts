/** `npm run github`: serves a simulated GitHub for trying Legion without an account. */
import { parseArgs } from 'node:util';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEMO_REPO, seedDemo } from './demo.ts';
import type { GithubSimulator } from './simulator.ts';
import { startGithub } from './start.ts';

const USAGE = `Usage: npm run github -- [--port N] [--repo OWNER/NAME] [--statuses A,B,C]
       npm run github -- --demo [--port N]

Serve a simulated GitHub on loopback: both APIs, git over HTTP, one organization with a repository and a board, and the
account ada with write access to both. It runs until it is interrupted, and stores nothing.

With --demo, serve the sample project of \`legion demo\` instead, with CI and accounts for both roles, and print how to run it.`;

const MAX_PORT = 65_535;

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
  if (values.help === true) printLine(USAGE);
  else await startServer(values);
} catch (error) {
  process.stderr.write(`github: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 2;
}

interface ServeOptions {
  readonly port: string;
  readonly repo: string;
  readonly statuses: string;
  readonly demo: boolean;
}

async function startServer({ port: wantedPort, repo, statuses, demo }: ServeOptions): Promise<void> {
  const port = Number(wantedPort);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new Error(`--port must be a whole number up to ${MAX_PORT}, got ${wantedPort}`);
  }
  if (demo) return startDemoServer(port);
  const [, owner, name] = /^([\w-]+)\/([\w.-]+)$/.exec(repo) ?? [];
  if (owner === undefined || name === undefined) throw new Error(`--repo must be OWNER/NAME, got ${repo}`);
  const columns = statuses.split(',').map((status) => status.trim());
  if (columns.includes('')) throw new Error('--statuses must be a comma-separated list of names');

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
  printLine(`A simulated GitHub is at ${github.url}, with the board ${owner}/${project} and the issue ${owner}/${name}#${issue} on it.

To use it, add this to Legion's configuration and set GITHUB_TOKEN as below:

  github:
    url: ${github.url}
  credentials:
    github:
      token: env:GITHUB_TOKEN

  export GITHUB_TOKEN=${token}   # ada's
  git clone ${github.url.replace('//', `//x-access-token:${token}@`)}/${owner}/${name}.git
`);
}

async function startDemoServer(port: number): Promise<void> {
  const github = await startGithub({ port });
  const { project, tokens } = await seedDemo(github);
  endWhenTold(github);
  printLine(`A simulated GitHub is at ${github.url}, with the board ${project} and the sample project in ${DEMO_REPO}.

Run the demo on it in another shell (it works only once):

  export DEMO_TOKEN=${tokens.ada}          # ada's
  export DEMO_TOKEN_IMPL=${tokens.impl}     # the account that implements and merges
  export DEMO_TOKEN_REVIEW=${tokens.review}   # the account that does everything else
  legion demo --github-url ${github.url} --project ${project} --repo ${DEMO_REPO} --token-variable DEMO_TOKEN
`);
}

function endWhenTold(github: GithubSimulator): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Handles only the first signal, so that a second one kills the process at once.
    process.once(signal, () => void github.close());
  }
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
