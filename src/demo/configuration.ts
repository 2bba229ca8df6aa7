/** The operator's configuration of the demo: as anybody would write it, with health limits for an audience that waits. */

/** Beside `legion.yaml`. */
export const SCENARIO_FILE = 'scenario.json';

/** A real agent instead of the scripted one, and the model behind it. */
export interface DemoAgent {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
}

const SCRIPTED = `{ agent: scripted, model: ${SCENARIO_FILE} } # real processes that play a scenario instead of asking a model`;

export function legionYaml(where: string, agent?: DemoAgent): string {
  return `# The configuration of \`legion demo\`.
${where}
port: 0 # any free one
auto_advance: true
agents:
  default: ${agent === undefined ? SCRIPTED : inYaml(agent)}
${agent === undefined ? 'scripted: allowed # its work is merged into demo repositories only\n' : ''}limits: { workers: 10 }
approvals: { architect: auto, merge: auto } # a merge still needs a person where the auto-merge gate does not pass
dispatch: { stagger: 0s }
health: # the defaults are for work that takes hours; here a death should be noticed and answered within seconds
  grace: 0s
  second_look: 0.5s
  backoff_first: 0.5s
  heartbeat: 5s
  reporting: 5s
  stop_grace: 1s
  term_to_kill: 2s
`;
}

/** JSON is YAML, and quotes whatever needs it. */
function inYaml({ agent, model, url, keyVariable }: DemoAgent): string {
  return JSON.stringify({ agent, model, url, key_variable: keyVariable });
}
