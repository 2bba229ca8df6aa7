/**
 * Writes Claude Code's configuration outside the repository (Legion's tools, Stop hook, rules and
 * skills) and builds its environment.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { AgentSessionOptions } from '../runner/dialect.ts';
import { type AgentEquipment, stripVersion, writeHookScript } from '../runner/equipment.ts';

/** Name of the MCP server, which prefixes the names of its tools: `mcp__legion__done`. */
export const MCP_SERVER = 'legion';

/**
 * In seconds. The hook only reads a directory. If the hook takes longer than this, the turn may end
 * without the hook's response.
 */
const HOOK_TIMEOUT_S = 30;

export interface ClaudeSessionFiles {
  readonly mcp: string;
  readonly settings: string;
  readonly rules: string;
  readonly plugin: string;
}

/**
 * Rewrites the files for each attempt, because an update of Legion may have moved the paths they
 * contain.
 */
export function writeSessionFiles(folder: string, equipment: AgentEquipment): ClaudeSessionFiles {
  const files = {
    mcp: join(folder, 'mcp.json'),
    settings: join(folder, 'settings.json'),
    rules: join(folder, 'rules.md'),
    plugin: join(folder, 'plugin'),
  };
  try {
    writePrivateJson(files.mcp, { mcpServers: { [MCP_SERVER]: { type: 'stdio', ...equipment.mcp } } });
    writePrivateJson(files.settings, { hooks: { Stop: [{ hooks: [buildStopHook(folder, equipment)] }] } });
    writeFileSync(files.rules, equipment.rules, { mode: 0o600 });
    writePlugin(files.plugin, equipment.skills);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${folder}: ${why}`, { cause: error });
  }
  return files;
}

function buildStopHook(folder: string, equipment: AgentEquipment) {
  return {
    type: 'command',
    command: writeHookScript(folder, equipment.stopHook),
    timeout: HOOK_TIMEOUT_S,
  };
}

/**
 * Provides the skills as a plugin, because only a plugin works independently of the repository's
 * and the user's settings.
 */
function writePlugin(folder: string, skills: string): void {
  const pluginFolder = join(folder, '.claude-plugin');
  mkdirSync(pluginFolder, { recursive: true, mode: 0o700 });
  writePrivateJson(join(pluginFolder, 'plugin.json'), {
    name: 'legion',
    version: '1.0.0',
    description: 'Skills for Legion workers.',
  });
  const link = join(folder, 'skills');
  rmSync(link, { force: true });
  symlinkSync(skills, link);
}

function writePrivateJson(file: string, data: object): void {
  writeFileSync(file, JSON.stringify(data), { mode: 0o600 });
}

/**
 * Variables that each hold a complete login. If an endpoint has its own key, no other login may be
 * sent to it.
 */
const CREDENTIAL_VARIABLES: readonly string[] = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'],
];

/**
 * Variables that select a cloud provider of the same models. They would make the agent ignore a
 * configured endpoint and call the cloud provider.
 */
const CLOUD_SWITCH_VARIABLES: readonly string[] = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'];

/**
 * Names of the variables that a login may need. Excludes keys to a whole cloud account, because
 * they grant more than model access; an operator can add them in `worker_env`.
 */
export const LOGIN_VARIABLES: readonly string[] = [
  ...CREDENTIAL_VARIABLES,
  ...CLOUD_SWITCH_VARIABLES,
  ...['ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
  ...['AWS_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION'],
];

/**
 * Maximum timeout of a command in milliseconds. Claude Code's default of ten minutes is too short
 * for some test suites. The limit is below the two hours after which the health check suspects a
 * hang.
 */
const MAX_COMMAND_MS = 3_600_000;

const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  // Disables updates, telemetry and surveys.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // Makes Claude Code read the repository's CLAUDE.md, even though all other settings of the
  // repository are ignored.
  CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
  // Claude Code keeps its memory per directory, so one worker's notes would influence the worker
  // that reviews its changes.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  // Each turn is one process. If it had background tasks, it would wait for them before exiting.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_CRON: '1',
  BASH_MAX_TIMEOUT_MS: String(MAX_COMMAND_MS),
  // Makes the first request wait for Legion's tools, so that it includes all of them.
  MCP_CONNECTION_NONBLOCKING: '0',
  ENABLE_TOOL_SEARCH: 'false',
};

/**
 * Builds Claude Code's environment: the worker's variables, the login and Claude Code's settings,
 * without credentials for other providers. If `isRoot` is true, sets IS_SANDBOX, because Claude
 * Code otherwise refuses to skip permission prompts as root.
 */
export function buildEnvironment(
  { env, endpoint }: Pick<AgentSessionOptions, 'env' | 'endpoint'>,
  isRoot: boolean,
): Record<string, string> {
  const settings = isRoot ? { ...FIXED_VARIABLES, IS_SANDBOX: '1' } : FIXED_VARIABLES;
  if (endpoint === undefined) return { ...env, ...settings };
  const address = { ANTHROPIC_BASE_URL: stripVersion(endpoint.url) };
  if (endpoint.keyVariable === undefined) return { ...env, ...settings, ...address };
  const key = env[endpoint.keyVariable];
  if (key === undefined || key === '')
    throw new LegionError(
      'agent.not_ready',
      `${endpoint.keyVariable}, the key for ${endpoint.url}, is not set`,
    );
  const others = Object.entries(env).filter(
    ([name]) => ![...CREDENTIAL_VARIABLES, ...CLOUD_SWITCH_VARIABLES].includes(name),
  );
  return { ...Object.fromEntries(others), ...settings, ...address, ANTHROPIC_API_KEY: key };
}
