/** `npm run linear`: serves a simulated Linear for trying Legion without an account. */
import { parseArgs } from 'node:util';
import { DEMO_REPO } from '../github/demo.ts';
import { buildDemoStates, DEMO_TEAM, seedDemo } from './demo.ts';
import type { LinearSimulator } from './simulator.ts';
import { startLinear } from './start.ts';

const USAGE = `Usage: npm run linear -- [--port N] [--states A,B,C]
       npm run linear -- --demo [--port N]

Serve a simulated Linear on loopback: its GraphQL API, a workspace with the team ENG and one issue, and the user ada with write access.
Without --states, the team has the states of a new Linear team. It runs until it is interrupted, and stores nothing.

With --demo, serve an empty team with Legion's own states instead, and print how to run \`legion demo\` on it.`;

const MAX_PORT = 65_535;

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      states: { type: 'string' },
      demo: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) printLine(USAGE);
  else await startServer(values);
} catch (error) {
  process.stderr.write(`linear: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 2;
}

interface ServeOptions {
  readonly port: string;
  readonly states?: string | undefined;
  readonly demo: boolean;
}

async function startServer({ port: wantedPort, states, demo }: ServeOptions): Promise<void> {
  const port = Number(wantedPort);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new Error(`--port must be a whole number up to ${MAX_PORT}, got ${wantedPort}`);
  }
  const names = states?.split(',').map((state) => state.trim());
  if (names?.includes('') === true) throw new Error('--states must be a comma-separated list of names');
  if (demo) return startDemoServer(port);

  const linear = await startLinear({ port });
  const { people } = linear;
  people.user('ada');
  const own = names === undefined ? {} : { states: buildDemoStates(names) };
  const team = people.team({ key: 'ENG', name: 'Engineering', ...own });
  const todo = names === undefined || names.includes('Todo');
  const issue = people.issue('ENG', {
    creator: 'ada',
    title: 'Say hello',
    description: 'The README should say hello.',
    ...(todo ? { state: 'Todo' } : {}),
  });
  endWhenTold(linear);
  printLine(`A simulated Linear is at ${linear.url}, with the team ENG (${team}) and the issue ${issue} in it.

To use it, run in your repository in another shell:

  export LINEAR_API_KEY=${people.apiKey('ada')}   # ada's
  legion teams --linear --linear-url ${linear.url}
  legion init --team ENG --linear-url ${linear.url} --create-missing
`);
}

async function startDemoServer(port: number): Promise<void> {
  const linear = await startLinear({ port });
  const { team, key } = seedDemo(linear);
  endWhenTold(linear);
  printLine(`A simulated Linear is at ${linear.url}, with the team ${DEMO_TEAM} (${team}).

Run the demo on it in another shell (it works only once):

  export DEMO_KEY=${key}   # ada's
  legion demo --linear-url ${linear.url} --team ${DEMO_TEAM} --key-variable DEMO_KEY

This keeps the code on your machine. For pull requests on a simulated GitHub, also start \`npm run github -- --demo\`, export the
tokens it prints, and add these options with its URL:

  --github-url URL --repo ${DEMO_REPO} --token-variable DEMO_TOKEN
`);
}

function endWhenTold(linear: LinearSimulator): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Handles only the first signal, so that a second one kills the process at once.
    process.once(signal, () => void linear.close());
  }
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
