/** `npm run linear`: a simulated Linear for trying Legion on it without an account. */
import { parseArgs } from 'node:util';
import { DEMO_REPO } from '../github/demo.ts';
import { DEMO_TEAM, seedDemo, statesOf } from './demo.ts';
import type { LinearSimulator } from './simulator.ts';
import { startLinear } from './start.ts';

const USAGE = `Usage: npm run linear -- [--port N] [--states A,B,C]
       npm run linear -- --demo [--port N]

Serves a Linear of its own on loopback: its GraphQL API, a workspace with the team ENG and one issue, and ada who may write to it.
Without --states the team has those of a new team in Linear. Everything is gone when it ends. It runs until it is interrupted.

With --demo it serves an empty team with Legion's own states instead, and says how to play \`legion demo\` on it.`;

const MOST_PORT = 65_535;

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      states: { type: 'string' },
      demo: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) say(USAGE);
  else await serve(values);
} catch (error) {
  process.stderr.write(`linear: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 2;
}

interface Wanted {
  readonly port: string;
  readonly states?: string | undefined;
  readonly demo: boolean;
}

async function serve({ port: wantedPort, states, demo }: Wanted): Promise<void> {
  const port = Number(wantedPort);
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT) {
    throw new Error(`--port takes a whole number up to ${MOST_PORT}, got ${wantedPort}`);
  }
  const names = states?.split(',').map((state) => state.trim());
  if (names?.includes('') === true) throw new Error('--states takes names with commas between them');
  if (demo) return serveDemo(port);

  const linear = await startLinear({ port });
  const { people } = linear;
  people.user('ada');
  const own = names === undefined ? {} : { states: statesOf(names) };
  const team = people.team({ key: 'ENG', name: 'Engineering', ...own });
  const todo = names === undefined || names.includes('Todo');
  const issue = people.issue('ENG', {
    creator: 'ada',
    title: 'Say hello',
    description: 'The README should say hello.',
    ...(todo ? { state: 'Todo' } : {}),
  });
  endWhenTold(linear);
  say(`A simulated Linear is at ${linear.url}, with the team ENG (${team}) and the issue ${issue} in it.

Legion finds it in a repository of yours, in another shell:

  export LINEAR_API_KEY=${people.apiKey('ada')}   # ada's
  legion teams --linear --linear-url ${linear.url}
  legion init --team ENG --linear-url ${linear.url} --create-missing
`);
}

async function serveDemo(port: number): Promise<void> {
  const linear = await startLinear({ port });
  const { team, key } = seedDemo(linear);
  endWhenTold(linear);
  say(`A simulated Linear is at ${linear.url}, with the team ${DEMO_TEAM} (${team}).

Play the demo on it, once, in another shell:

  export DEMO_KEY=${key}   # ada's
  legion demo --linear-url ${linear.url} --team ${DEMO_TEAM} --key-variable DEMO_KEY

The code is on your machine then. With pull requests on a simulated GitHub, start \`npm run github -- --demo\` as well, export the
tokens that it prints, and add to the command, with its address:

  --github-url URL --repo ${DEMO_REPO} --token-variable DEMO_TOKEN
`);
}

function endWhenTold(linear: LinearSimulator): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal finds nobody listening, and ends it at once.
    process.once(signal, () => void linear.close());
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
