/** `npm run model`: the scripted model as a server of its own, for trying a real agent without an account. */
import { parseArgs } from 'node:util';
import { loadScenario } from '../src/agents/scripted/scenario/load-scenario.ts';
import { readScenario } from '../src/agents/scripted/scenario/read-scenario.ts';
import { scenario as demoScenario, onFreshBoard } from '../src/demo/stories.ts';
import { scenarioMind } from './model/scenario-mind.ts';
import { startModel } from './model/server.ts';
import { WIRES } from './model/wires.ts';

const USAGE = `Usage: npm run model -- [--demo | --scenario FILE] [--port N]

Plays a scenario as a model would, by tool calls, for Claude Code, OpenCode and Codex. Without one it plays the built-in scenario of each
phase. It runs until it is interrupted.`;

const MOST_PORT = 65_535;

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
  else await serve(values);
} catch (error) {
  console.error(`model: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 2;
}

interface Wanted {
  readonly demo?: boolean | undefined;
  readonly scenario?: string | undefined;
  readonly port: string;
}

async function serve(wanted: Wanted): Promise<void> {
  const port = Number(wanted.port);
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT)
    throw new Error(`--port takes a whole number up to ${MOST_PORT}, got ${wanted.port}`);
  const { url } = await startModel(WIRES, scenarioMind(await chosen(wanted)), port);
  console.log(`The scripted model is at ${url}. Try, in another terminal:

  npm start -- demo --agent claude-code --model-url ${url} --key-variable ANY_KEY   # with ANY_KEY set to anything
`);
}

async function chosen({ demo, scenario }: Wanted) {
  if (demo === true) return readScenario(demoScenario(onFreshBoard()), 'the demo');
  return scenario === undefined ? undefined : loadScenario(scenario);
}
