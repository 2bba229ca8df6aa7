/** `npm run model`: the scripted model as a server of its own, for trying a real agent without an account. */
import { parseArgs } from 'node:util';
import { loadScenario } from '../src/agents/scripted/scenario/load-scenario.ts';
import { readScenario } from '../src/agents/scripted/scenario/read-scenario.ts';
import { scenario as demoScenario } from '../src/demo/stories.ts';
import { scenarioMind } from './model/scenario-mind.ts';
import { startModel } from './model/server.ts';
import { WIRES } from './model/wires.ts';

const USAGE = `Usage: npm run model -- [--demo | --scenario FILE] [--port N]

Plays a scenario as a model would, by tool calls, for Claude Code, OpenCode and Codex. Without one it plays the built-in scenario of each
phase. It runs until it is interrupted.`;

const { values } = parseArgs({
  options: {
    demo: { type: 'boolean' },
    scenario: { type: 'string' },
    port: { type: 'string', default: '0' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) console.log(USAGE);
else {
  const { url } = await startModel(WIRES, scenarioMind(await chosen()), Number(values.port));
  console.log(`The scripted model is at ${url}. Try, in another terminal:

  npm start -- demo --agent claude-code --model-url ${url} --key-variable ANY_KEY   # with ANY_KEY set to anything
`);
}

async function chosen() {
  if (values.demo === true) return readScenario(demoScenario(), 'the demo');
  return values.scenario === undefined ? undefined : loadScenario(values.scenario);
}
