/** Renders the demo's configuration: where its board and code are, and which agent it uses. */
import type { ColumnNames } from '../core/model/status.ts';
import { PROJECT_NAME } from './project.ts';
import { DEMO_LEGION } from './stories.ts';

export interface DemoServices {
  /** GitHub holds the code, and also the board unless the board is in Linear. */
  readonly github?: DemoGithub | undefined;
  readonly linear?: DemoLinear | undefined;
}

/**
 * Renders the settings that say where the board and the code are. `repository` is the sample in the
 * demo's directory.
 */
export function renderServicesYaml({ github, linear }: DemoServices, repository: string): string {
  const project = github?.project;
  const board =
    linear !== undefined
      ? renderLinearBoard(linear)
      : project !== undefined
        ? renderGithubBoard(project)
        : LOCAL_BOARD_YAML;
  const code = github === undefined ? renderLocalCode(repository) : renderGithubCode(github);
  const credentials = [
    ...(github === undefined ? [] : [renderGithubCredentials(github)]),
    ...(linear === undefined ? [] : [renderLinearCredentials(linear)]),
  ];
  return [
    board,
    code,
    ...(credentials.length === 0 ? [] : ['credentials:', ...credentials, POLLING_YAML]),
  ].join('\n');
}

/** Returns the environment variables that the demo reads for its services. */
export function listServiceVariables({ github, linear }: DemoServices): readonly string[] {
  return [
    ...(github === undefined ? [] : listGithubVariables(github)),
    ...(linear === undefined ? [] : [linear.keyVariable]),
  ];
}

const LOCAL_BOARD_YAML = `legion: ${DEMO_LEGION}
backend: local`;

function renderLocalCode(repository: string): string {
  return `forge: local
repos:
  - repo: demo/${PROJECT_NAME}
    path: ${JSON.stringify(repository)}
    base: main`;
}

const POLLING_YAML =
  'polling: { interval: 2s, slow_after: 1000 } # people are watching, and no webhooks report changes';

/** Settings of a demo whose board is in Linear. */
interface DemoLinear {
  /** Without a trailing slash, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** UUID of the team. */
  readonly team: string;
  /** Variable that holds the key that both the demo's person and Legion use. */
  readonly keyVariable: string;
  /** Names of the team's states, if they differ from the names of the statuses. */
  readonly statuses: ColumnNames;
}

function renderLinearBoard({ url, team, statuses }: DemoLinear): string {
  // JSON is valid YAML and quotes values as needed.
  const statusesYaml = Object.keys(statuses).length === 0 ? '' : `\nstatuses: ${JSON.stringify(statuses)}`;
  return `legion: ${team}
backend: linear
linear: { url: ${JSON.stringify(url)} }${statusesYaml}`;
}

/** The result goes below `credentials`. */
function renderLinearCredentials({ keyVariable }: DemoLinear): string {
  return `  linear: { api_key: env:${keyVariable} }`;
}

/** Located next to `legion.yaml`. */
export const SCENARIO_FILE = 'scenario.json';

/** Real agent that replaces the scripted one, and its model. */
export interface DemoAgent {
  readonly agent: string;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly keyVariable?: string | undefined;
}

const SCRIPTED_AGENT_YAML = `{ agent: scripted, model: ${SCENARIO_FILE} } # real processes that play a scenario instead of calling a model`;

/**
 * Renders the demo's `legion.yaml`: an ordinary configuration, but with short health limits,
 * because an audience is waiting.
 */
export function renderLegionYaml(services: string, agent?: DemoAgent): string {
  return `# The configuration of \`legion demo\`.
${services}
port: 0 # any free port
auto_advance: true
agents:
  default: ${agent === undefined ? SCRIPTED_AGENT_YAML : formatAgentYaml(agent)}
${agent === undefined ? 'scripted: allowed # only demo repositories accept its work\n' : ''}limits: { workers: 10 }
approvals: { architect: auto, merge: auto } # a merge still needs a person if the auto-merge gate does not pass
dispatch: { stagger: 0s }
health: # the defaults suit work that takes hours; here a crash should be handled within seconds
  grace: 0s
  second_look: 0.5s
  backoff_first: 0.5s
  heartbeat: 5s
  reporting: 5s
  stop_grace: 1s
  term_to_kill: 2s
`;
}

/** JSON is valid YAML and quotes values as needed. */
function formatAgentYaml({ agent, model, url, keyVariable }: DemoAgent): string {
  return JSON.stringify({ agent, model, url, key_variable: keyVariable });
}

export interface DemoGithub {
  /** Without a trailing slash, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** `owner/number` of the board. Undefined if the board is elsewhere. */
  readonly project: string | undefined;
  /** `owner/name`. */
  readonly repo: string;
  /** Variable that holds the token that both the demo's person and Legion use. */
  readonly tokenVariable: string;
  /**
   * Variables that hold the tokens of the roles, if the roles have their own. Without them, a
   * reviewer cannot submit a GitHub review.
   */
  readonly roleVariables: { readonly impl?: string; readonly review?: string };
}

/**
 * Matches a GitHub server on loopback, which has no secondary rate limits. For any other server,
 * writes keep the spacing that GitHub asks for.
 */
const LOOPBACK_PATTERN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** Returns whether the demo's GitHub runs on this machine. */
export function isOnLoopback({ url }: Pick<DemoGithub, 'url'>): boolean {
  return LOOPBACK_PATTERN.test(url);
}

/** Returns the environment variables that the demo reads for GitHub. */
function listGithubVariables({ tokenVariable, roleVariables }: DemoGithub): readonly string[] {
  return [tokenVariable, ...Object.values(roleVariables)];
}

function renderGithubBoard(project: string): string {
  return `legion: ${project}
backend: github`;
}

function renderGithubCode({ url, repo }: DemoGithub): string {
  return `forge: github
github: { url: ${JSON.stringify(url)}${isOnLoopback({ url }) ? ', write_spacing: 0s' : ''} }
repos: [{ repo: ${repo}, base: main }]`;
}

/** The result goes below `credentials`. */
function renderGithubCredentials({ tokenVariable, roleVariables }: DemoGithub): string {
  const roles = Object.entries(roleVariables).map(([role, name]) => `\n    ${role}: { token: env:${name} }`);
  return `  github:
    token: env:${tokenVariable}${roles.join('')}`;
}
