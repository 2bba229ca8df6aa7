/** The `config.toml` of a worker's own Codex: everything that is not its prompt, and nothing of the repository's or a person's. */

import { join } from 'node:path';
import { withVersion } from '../../driving/api-address.ts';
import type { SessionOrder } from '../../driving/dialect.ts';
import { type TomlValue, tomlString, tomlTable } from './toml.ts';

export interface ConfigContent {
  readonly order: Pick<SessionOrder, 'model' | 'endpoint' | 'env' | 'equipment'>;
  /** The workspace under each of its names. */
  readonly workspaces: readonly string[];
  /** Where the skills of `names` are linked. */
  readonly skills: { readonly folder: string; readonly names: readonly string[] };
  /** One word for a shell. */
  readonly stopHook: string;
}

/** Of the tools of legion. A machine under load starts them in seconds; a merge that is waited for takes minutes. */
const TOOLS_START_S = 60;
const TOOLS_ANSWER_S = 600;
/** It looks at a folder and ends. */
const HOOK_S = 60;

/** What a worker has no use for: agents beside it, aims of its own, connectors of a person's account. */
const OFF = ['multi_agent', 'goals', 'apps', 'plugins'] as const;

const PROVIDER = 'legion';

export function configText({ order, workspaces, skills, stopHook }: ConfigContent): string {
  const { mcp, rules } = order.equipment;
  return [
    tomlTable(undefined, {
      ...model(order),
      developer_instructions: rules,
      // A login shell would set the PATH anew.
      allow_login_shell: false,
      web_search: 'disabled',
      check_for_update_on_startup: false,
    }),
    tomlTable('[features]', {
      ...Object.fromEntries(OFF.map((name) => [name, false])),
      // It would try a refused connection again for ever, without a word.
      unbounded_connection_retries: false,
    }),
    tomlTable('[analytics]', { enabled: false }),
    // Everything that was handed on, also what is called a token: with it the worker speaks to its daemon.
    tomlTable('[shell_environment_policy]', { inherit: 'all', ignore_default_excludes: true }),
    // Otherwise it trusts a repository by itself, and runs the hooks and servers that are configured in there.
    ...workspaces.map((path) => tomlTable(`[projects.${tomlString(path)}]`, { trust_level: 'untrusted' })),
    ...provider(order.endpoint),
    tomlTable('[mcp_servers.legion]', {
      ...{ command: mcp.command, args: mcp.args, env_vars: legionVariables(order.env) },
      // A worker without its tools only burns its quota.
      ...{ required: true, startup_timeout_sec: TOOLS_START_S, tool_timeout_sec: TOOLS_ANSWER_S },
      default_tools_approval_mode: 'approve',
    }),
    tomlTable('[[hooks.Stop]]', {}),
    tomlTable('[[hooks.Stop.hooks]]', { type: 'command', command: stopHook, timeout: HOOK_S }),
    tomlTable('[skills.bundled]', { enabled: false }),
    ...skills.names.flatMap((name) => onlyOurs(name, join(skills.folder, name, 'SKILL.md'))),
  ].join('\n');
}

function model({ model, endpoint }: ConfigContent['order']): Readonly<Record<string, TomlValue>> {
  return {
    ...(model === undefined ? {} : { model }),
    ...(endpoint === undefined ? {} : { model_provider: PROVIDER }),
  };
}

/** The key itself stays in the environment. */
function provider(endpoint: SessionOrder['endpoint']): readonly string[] {
  if (endpoint === undefined) return [];
  const { url, keyVariable } = endpoint;
  const key = keyVariable === undefined ? {} : { env_key: keyVariable };
  const table = { name: PROVIDER, base_url: withVersion(url), wire_api: 'responses', ...key };
  return [tomlTable(`[model_providers.${PROVIDER}]`, table)];
}

/** Servers are given hardly anything; these say who the worker is, and mark the process as one of its own. */
function legionVariables(env: SessionOrder['env']): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('LEGION_'))
    .sort();
}

/** Skills of a repository are offered whether it is trusted or not; none of them passes for one of Legion's. */
function onlyOurs(name: string, path: string): readonly string[] {
  return [
    tomlTable('[[skills.config]]', { name, enabled: false }),
    tomlTable('[[skills.config]]', { path, enabled: true }),
  ];
}
