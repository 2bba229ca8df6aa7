/**
 * OpenCode adapter: a driver that runs the session on its own OpenCode server, and the preflight
 * check.
 */
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Agent, ModelUse, PreflightResult } from '../../ports/agent.ts';
import {
  askProgram,
  createDrivenAgent,
  type DrivenAgentOptions,
  findProgram,
  refusePreflight,
} from '../driven-agent.ts';
import { parseModelName } from './configuration.ts';

/**
 * Keys that OpenCode detects itself, each the complete login for one provider. Excludes tokens that
 * grant more than model access, such as `GITHUB_TOKEN`. An operator can pass on other providers'
 * keys with `credentials.worker_env`.
 */
const LOGIN_VARIABLES: readonly string[] = [
  ...['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GROQ_API_KEY'],
  ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'XAI_API_KEY', 'MISTRAL_API_KEY'],
  ...['DEEPSEEK_API_KEY', 'CEREBRAS_API_KEY', 'FIREWORKS_API_KEY', 'DEEPINFRA_API_KEY', 'COHERE_API_KEY'],
];

export interface OpencodeAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** The daemon's environment, used to find the program and its login. */
  readonly environment: EnvironmentVariables;
}

export function createOpencodeAgent({ environment, ...options }: OpencodeAgentOptions): Agent {
  return createDrivenAgent({
    ...options,
    kind: 'opencode',
    variables: LOGIN_VARIABLES,
    loginHelp: LOGIN_HELP,
    preflight: createOpencodePreflight(options.program, environment),
  });
}

/** Oldest version tested with this driver. Earlier versions have a different HTTP interface. */
const MIN_VERSION: readonly [number, number] = [1, 18];

/**
 * Checks whether OpenCode can be used: the executable exists, its version is supported, and a login
 * for the model exists.
 */
function createOpencodePreflight(
  program: string,
  environment: EnvironmentVariables,
): (signal: AbortSignal, use: ModelUse) => Promise<PreflightResult> {
  // As in the driver, ignores the settings in the directory where the daemon was started.
  const env = { ...environment, OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };

  return async (signal, use) => {
    const path = await findProgram(program, environment);
    if (path === undefined)
      return refusePreflight(
        `${program} is not on the PATH`,
        'Install OpenCode (`npm install --global opencode-ai`), or choose another agent in `agents`.',
      );
    const { code, out, errors } = await askProgram(path, ['--version'], env, signal);
    const [version, major, minor] = /(\d+)\.(\d+)\.\d+\S*/.exec(out) ?? [];
    if (code !== 0 || version === undefined)
      return refusePreflight(
        `${path} did not report its version: ${extractPlainLastLine(errors || out)}`,
        'Reinstall OpenCode.',
      );
    if (isOlder(Number(major), Number(minor)))
      return refusePreflight(
        `OpenCode ${version} is older than ${MIN_VERSION.join('.')}`,
        'Update it with `opencode upgrade`.',
      );
    const problem = use.endpoint === undefined ? await checkModel(path, use, signal) : checkEndpoint(use);
    return problem ?? { ready: true, version, login: describeLogin(use) };
  };

  /** OpenCode lists the models for which it has a login, and some models that need no login. */
  async function checkModel(
    path: string,
    use: ModelUse,
    signal: AbortSignal,
  ): Promise<PreflightResult | undefined> {
    const nameProblem = checkModelName(use);
    if (nameProblem !== undefined) return nameProblem;
    const { code, out, errors } = await askProgram(path, ['models'], env, signal);
    if (code !== 0)
      return refusePreflight(
        `opencode could not list its models: ${extractPlainLastLine(errors || out)}`,
        LOGIN_HELP,
      );
    const models = out.split('\n').map((line) => line.trim());
    if (use.model === undefined ? models.some((line) => line.includes('/')) : models.includes(use.model))
      return undefined;
    return refusePreflight(
      use.model === undefined ? 'opencode has no models' : `opencode does not have the model ${use.model}`,
      LOGIN_HELP,
    );
  }

  function checkEndpoint(use: ModelUse): PreflightResult | undefined {
    const key = use.endpoint?.keyVariable;
    if (key !== undefined && !environment[key])
      return refusePreflight(
        `the variable ${key} is not set`,
        `Start the daemon with ${key} in its environment.`,
      );
    return checkModelName(use);
  }
}

function describeLogin({ endpoint }: ModelUse): string {
  if (endpoint === undefined) return 'OpenCode’s own settings, which provide this model';
  const { keyVariable } = endpoint;
  return keyVariable === undefined
    ? 'no key, because its endpoint requires none'
    : `the key in ${keyVariable}`;
}

const LOGIN_HELP =
  "Log in with `opencode auth login`, or start the daemon with the provider's key in its environment; `opencode models` lists the available models.";

function checkModelName(use: ModelUse): PreflightResult | undefined {
  try {
    parseModelName(use);
    return undefined;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return refusePreflight(
      error.message,
      'Correct `model` in `agents`; `opencode models` lists the available models.',
    );
  }
}

function isOlder(major: number, minor: number): boolean {
  return major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]);
}

/** Returns the last line without colour codes. */
function extractPlainLastLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
  const plain = text.replaceAll(/\u001b\[[0-9;]*m/g, '');
  return plain.trim().split('\n').at(-1) ?? '';
}
