/** What OpenCode is configured with for one session: files in the session's own folder, and the environment that points at them. */

import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withVersion } from '../../driving/api-address.ts';
import type { SessionOrder } from '../../driving/dialect.ts';
import { modelName, OWN_PROVIDER } from './model-name.ts';

type Given = Pick<SessionOrder, 'folder' | 'workspace' | 'model' | 'endpoint' | 'equipment'>;

/** Of the environment: everything of OpenCode's own is ours to set, but for the key to its own gateway. */
const KEPT = 'OPENCODE_API_KEY';

/** Seen by nobody else: it names the programs that are run. Throws `agent.not_ready` for a model that cannot be named. */
export function writeConfiguration(given: Given): void {
  writePrivately(rulesFile(given.folder), given.equipment.rules);
  writePrivately(configFile(given.folder), `${JSON.stringify(configuration(given), undefined, 2)}\n`);
}

export function configuration(given: Given): Readonly<Record<string, unknown>> {
  const { folder, workspace, equipment } = given;
  const conventions = join(workspace, 'AGENTS.md');
  const { command, args } = equipment.mcp;
  return {
    $schema: 'https://opencode.ai/config.json',
    ...modelPart(given),
    autoupdate: false,
    share: 'disabled',
    // Git has what a worker changes; a second repository of it for each session would fill the disk.
    snapshot: false,
    // Language servers are programs that nobody asked for, of some hundred megabytes each.
    lsp: false,
    formatter: false,
    // With the settings of the repository its conventions are left out, too; they are words, and nothing that acts.
    instructions: [rulesFile(folder), ...(existsSync(conventions) ? [conventions] : [])],
    skills: { paths: [equipment.skills] },
    mcp: { legion: { type: 'local', command: [command, ...args], enabled: true } },
    permission: {
      '*': 'allow',
      // Both are answered by the driver, with words that help: a refusal by rule has none.
      external_directory: { '*': 'ask', [join(equipment.skills, '*')]: 'allow' },
      doom_loop: 'ask',
    },
  };
}

/** Of the server and of everything it starts. */
export function serverEnvironment(
  env: SessionOrder['env'],
  { folder, endpoint }: Pick<SessionOrder, 'folder' | 'endpoint'>,
  password: string,
): Record<string, string> {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('OPENCODE_') || name === KEPT);
  return {
    ...Object.fromEntries(others),
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_CONFIG: configFile(folder),
    // Only the sessions: with other XDG folders the login would be lost, and every tool of the worker would see them.
    OPENCODE_DB: join(folder, 'opencode.db'),
    // The repository is untrusted: its settings, tools, agents, MCP servers and skills do not count.
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    // A model behind an address of its own is in no catalogue.
    ...(endpoint === undefined
      ? {}
      : { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' }),
  };
}

function modelPart(given: Given): Readonly<Record<string, unknown>> {
  const name = modelName(given);
  if (name === undefined) return {};
  const full = `${name.providerID}/${name.modelID}`;
  // The small model makes titles and the like; another one might be one that nobody pays for.
  const both = { model: full, small_model: full };
  if (given.endpoint === undefined) return both;
  const { url, keyVariable } = given.endpoint;
  const apiKey = keyVariable === undefined ? {} : { apiKey: `{env:${keyVariable}}` };
  return {
    ...both,
    enabled_providers: [OWN_PROVIDER],
    provider: {
      [OWN_PROVIDER]: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Legion',
        options: { baseURL: withVersion(url), ...apiKey },
        models: { [name.modelID]: { name: name.modelID } },
      },
    },
  };
}

function configFile(folder: string): string {
  return join(folder, 'opencode.json');
}

function rulesFile(folder: string): string {
  return join(folder, 'rules.md');
}

function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  // The mode above counts only for a file that was not there.
  chmodSync(file, 0o600);
}
