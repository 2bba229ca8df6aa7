/** `npm run model`: runs the scripted model as a server, to try a real agent without an account. */
import { parseArgs } from 'node:util';
import { loadScenario, parseScenario } from '../src/agents/scripted/scenario/load-scenario.ts';
import { buildDemoScenario as demoScenario, listFreshBoardStories } from '../src/demo/stories.ts';
import { createScenarioMind } from './model/scenario-mind.ts';
import { startModel } from './model/server.ts';
import { WIRES } from './model/wires.ts';

const USAGE = `Usage: npm run model -- [--demo | --scenario FILE] [--port N]

Plays a scenario through tool calls, as a model would, for Claude Code, OpenCode and Codex. Without a scenario, it plays the built-in one
of each phase. It runs until it is interrupted.`;

const MAX_PORT = 65_535;

try {
  const { values } = parseArgs({
    options: {
      demo: { type: 'boolean' },
      scenario: { type: 'string' },
      port: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) console.log(USAGE);
  else await startModelServer(values);
} catch (error) {
  console.error(`model: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}

interface ServeOptions {
  readonly demo?: boolean | undefined;
  readonly scenario?: string | undefined;
  readonly port: string;
}

async function startModelServer(wanted: ServeOptions): Promise<void> {
  const port = Number(wanted.port);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw new Error(`--port must be a whole number up to ${MAX_PORT}, got ${wanted.port}`);
  const { url } = await startModel(WIRES, createScenarioMind(await selectScenario(wanted)), port);
  console.log(`The scripted model is at ${url}. Try, in another terminal:

  npm start -- demo --agent claude-code --model-url ${url} --key-variable ANY_KEY   # with ANY_KEY set to anything
`);
}

async function selectScenario({ demo, scenario }: ServeOptions) {
  if (demo === true) return parseScenario(demoScenario(listFreshBoardStories()), 'the demo');
  return scenario === undefined ? undefined : loadScenario(scenario);
}
