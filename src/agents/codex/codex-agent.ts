/** The `codex` adapter: a worker process runs `codex exec` once per turn. */

import { existsSync } from 'node:fs';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import type { Agent, ModelUse, PreflightResult } from '../../ports/agent.ts';
import {
  askProgram,
  createDrivenAgent,
  type DrivenAgentOptions,
  findProgram,
  refusePreflight,
} from '../driven-agent.ts';
import { resolveLoginFile } from './home.ts';

export interface CodexAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** The daemon's environment, used to find the program and its login. */
  readonly environment: EnvironmentVariables;
}

export function createCodexAgent({ launcher, home, program, environment }: CodexAgentOptions): Agent {
  return createDrivenAgent({
    kind: 'codex',
    // CODEX_HOME locates the login, and CODEX_API_KEY replaces it. `codex exec` ignores
    // OPENAI_API_KEY.
    variables: ['CODEX_HOME', 'CODEX_API_KEY'],
    loginHelp: LOGIN_HELP,
    launcher,
    home,
    program,
    preflight: (signal, use) => runCodexPreflight(program, environment, use, signal),
  });
}

/**
 * Oldest version of Codex that Legion was tested with. An older version may lack a flag or
 * configuration key, and then every turn fails.
 */
const MIN_VERSION = [0, 166, 0] as const;

const LOGIN_HELP = 'Run `codex login`, or set CODEX_API_KEY where the daemon is started.';

const INSTALL_COMMAND = 'npm install --global @openai/codex';

async function runCodexPreflight(
  program: string,
  env: EnvironmentVariables,
  { endpoint }: ModelUse,
  signal: AbortSignal,
): Promise<PreflightResult> {
  const path = await findProgram(program, env);
  if (path === undefined)
    return refusePreflight(`${program} is not on the PATH`, `Install it: ${INSTALL_COMMAND}`);
  const { code, out, errors } = await askProgram(path, ['--version'], env, signal);
  const version = /\d+\.\d+\.\d+\S*/.exec(out)?.[0];
  if (code !== 0 || version === undefined)
    return refusePreflight(
      `${path} --version failed: ${extractLastLine(errors)}`,
      `Reinstall it: ${INSTALL_COMMAND}`,
    );
  if (isBefore(version, MIN_VERSION))
    return refusePreflight(
      `codex ${version} is older than ${MIN_VERSION.join('.')}, the oldest supported version`,
      `Update it: ${INSTALL_COMMAND}`,
    );
  const login = await checkCodexLogin(path, env, endpoint, signal);
  return typeof login === 'string' ? { ready: true, version, login } : login;
}

/** Returns how codex is logged in, or the problem with its login. */
async function checkCodexLogin(
  path: string,
  env: EnvironmentVariables,
  endpoint: ModelUse['endpoint'],
  signal: AbortSignal,
): Promise<PreflightResult | string> {
  if (endpoint !== undefined) {
    const { keyVariable } = endpoint;
    if (keyVariable === undefined) return 'no key, because its endpoint requires none';
    if (env[keyVariable]) return `the key in ${keyVariable}`;
    return refusePreflight(
      `the variable ${keyVariable} is not set`,
      `Start the daemon with the key for ${endpoint.url} in ${keyVariable}.`,
    );
  }
  const { CODEX_API_KEY: key } = env;
  if (key) return 'the key in CODEX_API_KEY';
  const { code, errors } = await askProgram(path, ['login', 'status'], env, signal);
  if (code !== 0) return refusePreflight(`codex is not logged in: ${extractLastLine(errors)}`, LOGIN_HELP);
  // Workers have their own homes, so the login is passed to them as this file. A login in a keyring
  // cannot be passed on.
  const file = resolveLoginFile(env);
  if (file !== undefined && existsSync(file)) return '`codex login`';
  return refusePreflight(
    'codex does not store its login in a file, so workers cannot use it',
    'Set `cli_auth_credentials_store = "file"` in its config.toml and run `codex login` again, or set CODEX_API_KEY.',
  );
}

function isBefore(version: string, oldest: readonly number[]): boolean {
  const parts = version.split(/[.+-]/, 3).map(Number);
  const differs = oldest.findIndex((part, index) => part !== parts[index]);
  return differs >= 0 && (parts[differs] ?? 0) < (oldest[differs] ?? 0);
}

function extractLastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
