/** Claude Code adapter: a driver that runs one `claude` process per turn. */

import { z } from 'zod';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { parseJson } from '../../lib/json.ts';
import type { Agent, ModelUse, PreflightResult } from '../../ports/agent.ts';
import {
  askProgram,
  createDrivenAgent,
  type DrivenAgentOptions,
  findProgram,
  refusePreflight,
} from '../driven-agent.ts';
import { LOGIN_VARIABLES } from './equip.ts';

export interface ClaudeCodeAgentOptions extends Pick<DrivenAgentOptions, 'launcher' | 'home' | 'program'> {
  /** Environment in which the preflight looks for the `claude` executable and its login. */
  readonly environment: EnvironmentVariables;
}

export function createClaudeCodeAgent({ environment, ...options }: ClaudeCodeAgentOptions): Agent {
  return createDrivenAgent({
    ...options,
    kind: 'claude-code',
    variables: LOGIN_VARIABLES,
    loginHelp: LOGIN_HELP,
    preflight: (signal, use) => runClaudePreflight({ program: options.program, environment }, use, signal),
  });
}

/** Oldest version of Claude Code that Legion was tested with. */
const MIN_VERSION: readonly [number, number] = [2, 1];

const LOGIN_HELP = 'Run `claude auth login`, or set ANTHROPIC_API_KEY where the daemon is started.';

const statusSchema = z.object({ loggedIn: z.boolean(), authMethod: z.string().catch('unknown') });

/**
 * Checks that Claude Code can run here: the executable exists, its version is supported, and a
 * login exists. Only a request to the model could prove that the login works.
 */
export async function runClaudePreflight(
  { program, environment }: { readonly program: string; readonly environment: EnvironmentVariables },
  { endpoint }: ModelUse,
  signal: AbortSignal,
): Promise<PreflightResult> {
  const path = await findProgram(program, environment);
  if (path === undefined)
    return refusePreflight(
      `Claude Code is not installed: \`${program}\` is not on the PATH`,
      'Install it with `npm install -g @anthropic-ai/claude-code`, or choose another agent in `agents`.',
    );
  const output = await askProgram(path, ['--version'], environment, signal);
  const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(output.out) ?? [];
  if (version === undefined)
    return refusePreflight(
      `${path} --version: ${quoteOutput(output.out, output.errors)}`,
      `Run it by hand and fix the reported problem, or reinstall Claude Code.`,
    );
  if (isOlder([Number(major), Number(minor)]))
    return refusePreflight(
      `Claude Code ${version} is too old`,
      `Update it to ${MIN_VERSION.join('.')} or later.`,
    );
  return endpoint?.keyVariable === undefined
    ? checkOwnLogin(path, version, environment, signal)
    : checkKeyVariable(endpoint.keyVariable, version, environment);
}

function checkKeyVariable(name: string, version: string, environment: EnvironmentVariables): PreflightResult {
  const { [name]: key = '' } = environment;
  if (key === '')
    return refusePreflight(
      `the variable ${name}, which holds the key for Claude Code, is not set`,
      `Set ${name} where the daemon is started, or configure another \`key_variable\`.`,
    );
  return { ready: true, version, login: `the key in ${name}` };
}

/**
 * Ignores the settings files, as workers do: a key that is only in a settings file is not available
 * to a worker.
 */
async function checkOwnLogin(
  path: string,
  version: string,
  environment: EnvironmentVariables,
  signal: AbortSignal,
): Promise<PreflightResult> {
  const { out, errors } = await askProgram(
    path,
    ['--setting-sources', '', 'auth', 'status'],
    environment,
    signal,
  );
  const status = statusSchema.safeParse(parseJson(out)).data;
  if (status === undefined)
    return refusePreflight(`claude auth status: ${quoteOutput(out, errors)}`, LOGIN_HELP);
  if (!status.loggedIn) return refusePreflight('Claude Code is not logged in', LOGIN_HELP);
  return { ready: true, version, login: status.authMethod };
}

function isOlder([major, minor]: readonly [number, number]): boolean {
  return major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]);
}

/**
 * Maximum number of output characters quoted in a message. The end of the output is quoted, because
 * it contains the error.
 */
const MAX_QUOTED_OUTPUT_CHARS = 500;

function quoteOutput(output: string, errors: string): string {
  return (errors.trim() || output.trim() || 'no output').slice(-MAX_QUOTED_OUTPUT_CHARS);
}
