/** Whether Claude Code can work here: its program, its version, its login. */

import { z } from 'zod';
import type { Environment } from '../../domain/environment.ts';
import { parseJson } from '../../lib/json.ts';
import type { ModelUse, Preflight } from '../../ports/agent.ts';
import { askProgram, findProgram, lacking } from '../program.ts';

/** What is used here was found by trying 2.1; nobody has tried anything older. */
const OLDEST: readonly [number, number] = [2, 1];

export const LOGIN_HELP = 'Run `claude auth login`, or set ANTHROPIC_API_KEY where the daemon is started.';

const statusSchema = z.object({ loggedIn: z.boolean(), authMethod: z.string().catch('unknown') });

/** That a login is there is looked at, not whether it is good for something: only a request to the model proves that. */
export async function preflight(
  { program, environment }: { readonly program: string; readonly environment: Environment },
  { endpoint }: ModelUse,
  signal: AbortSignal,
): Promise<Preflight> {
  const path = await findProgram(program, environment);
  if (path === undefined)
    return lacking(
      `Claude Code is not installed: there is no \`${program}\` on the PATH`,
      'Install it with `npm install -g @anthropic-ai/claude-code`, or choose another agent in `agents`.',
    );
  const said = await askProgram(path, ['--version'], environment, signal);
  const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(said.out) ?? [];
  if (version === undefined)
    return lacking(
      `${path} --version: ${ownWords(said.out, said.errors)}`,
      `Run it by hand and mend what it says, or install Claude Code anew.`,
    );
  if (isOlder([Number(major), Number(minor)]))
    return lacking(`Claude Code ${version} is too old`, `Update it to ${OLDEST.join('.')} or later.`);
  return endpoint?.keyVariable === undefined
    ? ownLogin(path, version, environment, signal)
    : keyIn(endpoint.keyVariable, version, environment);
}

function keyIn(name: string, version: string, environment: Environment): Preflight {
  const { [name]: key = '' } = environment;
  if (key === '')
    return lacking(
      `the variable ${name}, which has the key for Claude Code, is not set`,
      `Set ${name} where the daemon is started, or name another \`key_variable\`.`,
    );
  return { ready: true, version, login: `the key in ${name}` };
}

/** Asked without the settings files, as workers are: a key that is only in them is not there for a worker. */
async function ownLogin(
  path: string,
  version: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<Preflight> {
  const { out, errors } = await askProgram(
    path,
    ['--setting-sources', '', 'auth', 'status'],
    environment,
    signal,
  );
  const status = statusSchema.safeParse(parseJson(out)).data;
  if (status === undefined) return lacking(`claude auth status: ${ownWords(out, errors)}`, LOGIN_HELP);
  if (!status.loggedIn) return lacking('Claude Code is not logged in', LOGIN_HELP);
  return { ready: true, version, login: status.authMethod };
}

function isOlder([major, minor]: readonly [number, number]): boolean {
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Characters of what the program said that are shown: the end says what went wrong. */
const WORDS_MOST = 500;

function ownWords(out: string, errors: string): string {
  return (errors.trim() || out.trim() || 'it said nothing').slice(-WORDS_MOST);
}
