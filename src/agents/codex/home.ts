/**
 * Prepares a worker's own Codex home: configuration, skills and a link to the user's login. Threads
 * are stored there too.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { AgentSessionOptions } from '../runner/dialect.ts';
import { withVersion, writeHookScript } from '../runner/equipment.ts';

export interface CodexHomeOptions {
  /** True if the thread being continued started with different rules. */
  readonly hasNewRules: boolean;
}

/** Creates the home and returns its path. Throws `agent.not_ready` if it cannot be written. */
export function prepareCodexHome(options: AgentSessionOptions, content: CodexHomeOptions): string {
  const home = join(options.folder, 'home');
  try {
    writeHome(home, options, content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${home}: ${why}`, { cause: error });
  }
  return home;
}

/** Rewrites everything that a previous process left, because the worker could have changed it. */
function writeHome(home: string, options: AgentSessionOptions, { hasNewRules }: CodexHomeOptions): void {
  const { folder, workspace, equipment, endpoint, env } = options;
  const skills = join(home, 'skills');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const replaceEntry = (name: string, fill: (path: string) => void) => {
    const path = join(home, name);
    // If the path is a symbolic link, removes only the link, not its target.
    rmSync(path, { recursive: true, force: true });
    fill(path);
  };

  const names = listSkills(equipment.skills);
  replaceEntry('skills', (path) => {
    mkdirSync(path, { mode: 0o700 });
    for (const name of names) symlinkSync(join(equipment.skills, name), join(path, name));
  });
  replaceEntry('config.toml', (path) => {
    const workspaces = [...new Set([workspace, realpathSync(workspace)])];
    const stopHook = writeHookScript(folder, equipment.stopHook);
    const text = renderCodexConfig({
      order: options,
      workspaces,
      skills: { folder: skills, names },
      stopHook,
    });
    writeFileSync(path, text, { mode: 0o600 });
  });
  replaceEntry('auth.json', (path) => {
    // Links to the login instead of copying it, because the user and all workers share one login
    // and any of them may renew it. A custom endpoint has its own key instead.
    const login = resolveLoginFile(env);
    if (endpoint === undefined && login !== undefined && existsSync(login)) symlinkSync(login, path);
  });
  replaceEntry('AGENTS.md', (path) => {
    if (hasNewRules) writeFileSync(path, formatNewRules(equipment.rules), { mode: 0o600 });
  });
}

function listSkills(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'SKILL.md')));
}

/**
 * A thread keeps its initial instructions. New rules reach a continued thread only through a
 * changed `AGENTS.md`.
 */
function formatNewRules(rules: string): string {
  return `These rules from Legion replace the rules that you started with.\n\n${rules}\n`;
}

/**
 * Locates the Codex login of the user to whom this environment belongs. Returns undefined if the
 * environment does not specify where the login is.
 */
export function resolveLoginFile({ CODEX_HOME, HOME }: EnvironmentVariables): string | undefined {
  if (CODEX_HOME) return join(CODEX_HOME, 'auth.json');
  return HOME ? join(HOME, '.codex', 'auth.json') : undefined;
}

export interface CodexConfigOptions {
  readonly order: Pick<AgentSessionOptions, 'model' | 'endpoint' | 'env' | 'equipment'>;
  /** All paths that lead to the workspace, including aliases. */
  readonly workspaces: readonly string[];
  /** Directory with links to the skills in `names`. */
  readonly skills: { readonly folder: string; readonly names: readonly string[] };
  /** The Stop hook's command as a single shell word. */
  readonly stopHook: string;
}

/**
 * Timeouts for Legion's tools. A loaded machine takes seconds to start them, and waiting for a
 * merge takes minutes.
 */
const TOOLS_START_TIMEOUT_S = 60;
const TOOLS_CALL_TIMEOUT_S = 600;
/** Timeout for the Stop hook, which only checks a directory. */
const HOOK_TIMEOUT_S = 60;

/**
 * Features that a worker does not need: subagents, goals the agent sets for itself, and connectors
 * from a person's account.
 */
const DISABLED_FEATURES = ['multi_agent', 'goals', 'apps', 'plugins'] as const;

const PROVIDER_NAME = 'legion';

/**
 * Builds a worker's own `config.toml` for Codex, independent of the repository's and the user's
 * settings.
 */
export function renderCodexConfig({ order, workspaces, skills, stopHook }: CodexConfigOptions): string {
  const { mcp, rules } = order.equipment;
  return [
    formatTomlTable(undefined, {
      ...toModelSettings(order),
      developer_instructions: rules,
      // A login shell would reset the PATH.
      allow_login_shell: false,
      web_search: 'disabled',
      check_for_update_on_startup: false,
    }),
    formatTomlTable('[features]', {
      ...Object.fromEntries(DISABLED_FEATURES.map((name) => [name, false])),
      // Otherwise Codex would silently retry a refused connection forever.
      unbounded_connection_retries: false,
    }),
    formatTomlTable('[analytics]', { enabled: false }),
    // Passes on every variable, including those whose names look like secrets: the worker needs its
    // token to call the daemon.
    formatTomlTable('[shell_environment_policy]', { inherit: 'all', ignore_default_excludes: true }),
    // Otherwise Codex trusts the repository automatically and runs the hooks and servers configured
    // there.
    ...workspaces.map((path) =>
      formatTomlTable(`[projects.${formatTomlString(path)}]`, { trust_level: 'untrusted' }),
    ),
    ...renderProvider(order.endpoint),
    formatTomlTable('[mcp_servers.legion]', {
      command: mcp.command,
      args: mcp.args,
      env_vars: listLegionVariables(order.env),
      // A worker without its tools only burns quota.
      required: true,
      startup_timeout_sec: TOOLS_START_TIMEOUT_S,
      tool_timeout_sec: TOOLS_CALL_TIMEOUT_S,
      default_tools_approval_mode: 'approve',
    }),
    formatTomlTable('[[hooks.Stop]]', {}),
    formatTomlTable('[[hooks.Stop.hooks]]', { type: 'command', command: stopHook, timeout: HOOK_TIMEOUT_S }),
    formatTomlTable('[skills.bundled]', { enabled: false }),
    ...skills.names.flatMap((name) => renderSkillOverride(name, join(skills.folder, name, 'SKILL.md'))),
  ].join('\n');
}

function toModelSettings({
  model,
  endpoint,
}: CodexConfigOptions['order']): Readonly<Record<string, TomlValue>> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(endpoint === undefined ? {} : { model_provider: PROVIDER_NAME }),
  };
}

/** Renders the model provider of a custom endpoint. The key itself stays in the environment. */
function renderProvider(endpoint: AgentSessionOptions['endpoint']): readonly string[] {
  if (endpoint === undefined) return [];
  const { url, keyVariable } = endpoint;
  const key = keyVariable === undefined ? {} : { env_key: keyVariable };
  const table = { name: PROVIDER_NAME, base_url: withVersion(url), wire_api: 'responses', ...key };
  return [formatTomlTable(`[model_providers.${PROVIDER_NAME}]`, table)];
}

/**
 * Lists the variables to pass to the MCP server. They identify the worker and mark the process as
 * belonging to it. MCP servers inherit almost no other variables.
 */
function listLegionVariables(env: AgentSessionOptions['env']): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LEGION_'))
    .sort();
}

/**
 * Disables all other skills that have the same name as one of Legion's. Codex offers the skills of
 * a repository even if the repository is untrusted, and they must not be mistaken for Legion's.
 */
function renderSkillOverride(name: string, path: string): readonly string[] {
  return [
    formatTomlTable('[[skills.config]]', { name, enabled: false }),
    formatTomlTable('[[skills.config]]', { path, enabled: true }),
  ];
}

type TomlValue = string | number | boolean | readonly string[];

/**
 * Formats a TOML string. Every JSON string is a valid TOML string, except for one control character
 * that only JSON allows.
 */
export function formatTomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\x7f', '\\u007F');
}

/** `header` is a table header such as `[features]`, or undefined for keys above all tables. */
function formatTomlTable(header: string | undefined, entries: Readonly<Record<string, TomlValue>>): string {
  const lines = Object.entries(entries).map(([key, value]) => `${key} = ${formatTomlValue(value)}`);
  return [...(header === undefined ? [] : [header]), ...lines, ''].join('\n');
}

function formatTomlValue(value: TomlValue): string {
  if (typeof value === 'string') return formatTomlString(value);
  return typeof value === 'object' ? `[${value.map(formatTomlString).join(', ')}]` : String(value);
}
