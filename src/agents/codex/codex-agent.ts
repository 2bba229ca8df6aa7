/** The agent `codex`: a worker's process drives `codex exec`, one process of it a turn. */

import { existsSync } from 'node:fs';
import type { Environment } from '../../domain/environment.ts';
import type { Agent, ModelUse, Preflight } from '../../ports/agent.ts';
import { type DrivenAgentOptions, drivenAgent } from '../driven-agent.ts';
import { askProgram, findProgram, lacking } from '../program.ts';
import { loginFile } from './login-file.ts';

export interface CodexAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** The daemon's: where the program is looked for, and the login. */
  readonly environment: Environment;
}

export function codexAgent({ launcher, home, program, environment }: CodexAgentOptions): Agent {
  return drivenAgent({
    kind: 'codex',
    // Where its login is kept, or a key instead of one; `exec` does not look at OPENAI_API_KEY.
    variables: ['CODEX_HOME', 'CODEX_API_KEY'],
    loginHelp: LOGIN_HELP,
    ...{ launcher, home, program },
    preflight: (signal, use) => codexPreflight(program, environment, use, signal),
  });
}

/** The oldest that was tried; one before it may not know a flag or a key of the configuration, and then every turn fails. */
const OLDEST = [0, 166, 0] as const;

const LOGIN_HELP = 'Run `codex login`, or set CODEX_API_KEY where the daemon is started.';

const INSTALL = 'npm install --global @openai/codex';

async function codexPreflight(
  program: string,
  env: Environment,
  { endpoint }: ModelUse,
  signal: AbortSignal,
): Promise<Preflight> {
  const path = await findProgram(program, env);
  if (path === undefined)
    return lacking(`there is no program ${program} on the PATH`, `Install it: ${INSTALL}`);
  const { code, out, errors } = await askProgram(path, ['--version'], env, signal);
  const version = /\d+\.\d+\.\d+\S*/.exec(out)?.[0];
  if (code !== 0 || version === undefined)
    return lacking(`${path} --version did not answer: ${lastLine(errors)}`, `Install it anew: ${INSTALL}`);
  if (isBefore(version, OLDEST))
    return lacking(
      `codex ${version} is older than ${OLDEST.join('.')}, the oldest that is known to work`,
      `Update it: ${INSTALL}`,
    );
  const login = await loginOf(path, env, endpoint, signal);
  return typeof login === 'string' ? { ready: true, version, login } : login;
}

/** How it is logged in, or what keeps it from being. */
async function loginOf(
  path: string,
  env: Environment,
  endpoint: ModelUse['endpoint'],
  signal: AbortSignal,
): Promise<Preflight | string> {
  if (endpoint !== undefined) {
    const { keyVariable } = endpoint;
    if (keyVariable === undefined) return 'nothing: its address asks for no key';
    if (env[keyVariable]) return `the key in ${keyVariable}`;
    return lacking(
      `the variable ${keyVariable} is not set`,
      `Start the daemon with the key to ${endpoint.url} in ${keyVariable}.`,
    );
  }
  const { CODEX_API_KEY: key } = env;
  if (key) return 'the key in CODEX_API_KEY';
  const { code, errors } = await askProgram(path, ['login', 'status'], env, signal);
  if (code !== 0) return lacking(`codex is not logged in: ${lastLine(errors)}`, LOGIN_HELP);
  // Workers have homes of their own and are given this file; what a keyring holds is not handed on.
  const file = loginFile(env);
  if (file !== undefined && existsSync(file)) return '`codex login`';
  return lacking(
    'the login of codex is not in a file, and workers cannot use it',
    'Set `cli_auth_credentials_store = "file"` in its config.toml and run `codex login` again, or set CODEX_API_KEY.',
  );
}

function isBefore(version: string, oldest: readonly number[]): boolean {
  const parts = version.split(/[.+-]/, 3).map(Number);
  const differs = oldest.findIndex((part, index) => part !== parts[index]);
  return differs >= 0 && (parts[differs] ?? 0) < (oldest[differs] ?? 0);
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
