/**
 * Configures OpenCode for one session: writes its files, builds its environment, parses the model's
 * name and refuses a repository with plugins.
 */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { ModelUse } from '../../ports/agent.ts';
import type { AgentSessionOptions } from '../runner/dialect.ts';
import { withVersion } from '../runner/equipment.ts';

type OpencodeConfigOptions = Pick<
  AgentSessionOptions,
  'folder' | 'workspace' | 'model' | 'endpoint' | 'equipment'
>;

/**
 * The only OpenCode variable that Legion keeps: the key to OpenCode's own gateway. Legion sets all
 * others itself.
 */
const KEPT_VARIABLE = 'OPENCODE_API_KEY';

/**
 * Writes the configuration files. They list the programs to run, so only this user can read them
 * and no other session shares them. Throws `agent.not_ready` for an invalid model name.
 */
export function writeConfiguration(options: OpencodeConfigOptions): void {
  writePrivateFile(resolveRulesFile(options.folder), options.equipment.rules);
  writePrivateFile(
    resolveConfigFile(options.folder),
    `${JSON.stringify(buildConfiguration(options), undefined, 2)}\n`,
  );
}

export function buildConfiguration(options: OpencodeConfigOptions): Readonly<Record<string, unknown>> {
  const { folder, workspace, equipment } = options;
  const conventions = join(workspace, 'AGENTS.md');
  const { command, args } = equipment.mcp;
  return {
    $schema: 'https://opencode.ai/config.json',
    ...buildModelSettings(options),
    autoupdate: false,
    share: 'disabled',
    // Git already tracks the worker's changes; a snapshot repository per session would fill the
    // disk.
    snapshot: false,
    // Language servers would start on their own and take several hundred megabytes each.
    lsp: false,
    formatter: false,
    // Disabling the repository's settings also drops its conventions. They are only text, so
    // include them.
    instructions: [resolveRulesFile(folder), ...(existsSync(conventions) ? [conventions] : [])],
    skills: { paths: [equipment.skills] },
    mcp: { legion: { type: 'local', command: [command, ...args], enabled: true } },
    permission: {
      '*': 'allow',
      // `ask` lets the driver reject both kinds of request with a helpful message, which a `deny`
      // rule could not provide.
      external_directory: { '*': 'ask', [join(equipment.skills, '*')]: 'allow' },
      doom_loop: 'ask',
    },
  };
}

/** Builds the environment of the server and everything it starts. */
export function buildServerEnvironment(
  env: AgentSessionOptions['env'],
  { folder, endpoint }: Pick<AgentSessionOptions, 'folder' | 'endpoint'>,
  password: string,
): Record<string, string> {
  const others = Object.entries(env).filter(
    ([name]) => !name.startsWith('OPENCODE_') || name === KEPT_VARIABLE,
  );
  return {
    ...Object.fromEntries(others),
    OPENCODE_SERVER_PASSWORD: password,
    OPENCODE_CONFIG: resolveConfigFile(folder),
    // Moves only the session database: moving the XDG directories would lose the login and affect
    // every tool of the worker.
    OPENCODE_DB: join(folder, 'opencode.db'),
    // The repository is untrusted, so its settings, tools, agents, MCP servers and skills are
    // ignored.
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    // OpenCode's model catalogue does not list a model behind a custom endpoint.
    ...(endpoint === undefined
      ? {}
      : { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' }),
  };
}

function buildModelSettings(options: OpencodeConfigOptions): Readonly<Record<string, unknown>> {
  const name = parseModelName(options);
  if (name === undefined) return {};
  const full = `${name.providerID}/${name.modelID}`;
  // OpenCode uses the small model for titles and similar texts. Sets the same model for both,
  // because the account might not cover another model.
  const both = { model: full, small_model: full };
  if (options.endpoint === undefined) return both;
  const { url, keyVariable } = options.endpoint;
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

function resolveConfigFile(folder: string): string {
  return join(folder, 'opencode.json');
}

function resolveRulesFile(folder: string): string {
  return join(folder, 'rules.md');
}

function writePrivateFile(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  // `writeFileSync` applies the mode only to a newly created file.
  chmodSync(file, 0o600);
}

/** OpenCode loads plugins from either directory. */
const PLUGIN_FOLDERS: readonly string[] = ['.opencode/plugin', '.opencode/plugins'];
const CODE_FILE_PATTERN = /\.[cm]?[jt]sx?$/i;
/** Maximum number of plugins listed in the message. */
const MAX_NAMED_PLUGINS = 5;

/**
 * Refuses a session if the repository contains plugins: OpenCode runs them inside its server and no
 * setting prevents it. Plugin code would run with the worker's token before anyone has reviewed it.
 * Rejects with `agent.failed`.
 */
export async function refusePlugins(workspace: string): Promise<void> {
  const plugins = (await Promise.all(PLUGIN_FOLDERS.map((folder) => listPluginFiles(workspace, folder))))
    .flat()
    .sort();
  if (plugins.length === 0) return;
  const names = plugins.slice(0, MAX_NAMED_PLUGINS).join(', ');
  const suffix = plugins.length > MAX_NAMED_PLUGINS ? ` and ${plugins.length - MAX_NAMED_PLUGINS} more` : '';
  throw new LegionError(
    'agent.failed',
    `the repository contains plugins that OpenCode would run automatically (${names}${suffix}): remove them from the branch, or use another agent for this phase`,
  );
}

async function listPluginFiles(workspace: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(workspace, folder), { withFileTypes: true });
    // Counts directories and symbolic links as plugins without following them: a link's target may
    // change or be a plugin itself.
    const plugins = entries.filter((entry) => !entry.isFile() || CODE_FILE_PATTERN.test(entry.name));
    return plugins.map(({ name }) => join(folder, name));
  } catch (error) {
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isAbsent) return [];
    // An unreadable directory may contain plugins.
    throw new LegionError('agent.failed', `${join(workspace, folder)} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

/** Name of the OpenCode provider that stands for the endpoint in `agents.<mode>.url`. */
const OWN_PROVIDER = 'legion';

export interface ModelName {
  readonly providerID: string;
  readonly modelID: string;
}

/**
 * Parses OpenCode's model names, which consist of a provider and that provider's name for the
 * model. Returns undefined if no model is configured, which selects OpenCode's default. Throws
 * `agent.not_ready` for an invalid name.
 */
export function parseModelName({ model, endpoint }: ModelUse): ModelName | undefined {
  if (endpoint !== undefined) {
    if (model === undefined)
      throw new LegionError('agent.not_ready', `opencode requires a model for the endpoint ${endpoint.url}`);
    return { providerID: OWN_PROVIDER, modelID: model };
  }
  if (model === undefined) return undefined;
  // Splits at the first slash only, because gateways have models with slashes in their names.
  const slash = model.indexOf('/');
  if (slash <= 0 || slash === model.length - 1)
    throw new LegionError('agent.not_ready', `Invalid opencode model ${model}. Expected provider/model`);
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}
