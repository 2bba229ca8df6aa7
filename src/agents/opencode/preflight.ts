/** Whether OpenCode can be used: its program, its version, and a model that it is logged in for. */

import { LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import type { ModelUse, Preflight } from '../../ports/agent.ts';
import { askProgram, findProgram, lacking } from '../program.ts';
import { modelName } from './model-name.ts';

/** The first line that was tried with this driver; its HTTP interface differs before. */
const OLDEST: readonly [number, number] = [1, 18];

export function preflightOf(
  program: string,
  environment: Environment,
): (signal: AbortSignal, use: ModelUse) => Promise<Preflight> {
  // As the driver has it: settings of the folder the daemon was started in are nobody's business.
  const env = { ...environment, OPENCODE_DISABLE_PROJECT_CONFIG: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' };

  return async (signal, use) => {
    const path = await findProgram(program, environment);
    if (path === undefined)
      return lacking(
        `the program ${program} is not on the PATH`,
        'Install OpenCode (`npm install --global opencode-ai`), or choose another agent in `agents`.',
      );
    const { code, out, errors } = await askProgram(path, ['--version'], env, signal);
    const [version, major, minor] = /(\d+)\.(\d+)\.\d+\S*/.exec(out) ?? [];
    if (code !== 0 || version === undefined)
      return lacking(
        `${path} does not say its version: ${lastLine(errors || out)}`,
        'Install OpenCode anew.',
      );
    if (isOlder(Number(major), Number(minor)))
      return lacking(
        `OpenCode ${version} is older than ${OLDEST.join('.')}`,
        'Update it with `opencode upgrade`.',
      );
    const problem = use.endpoint === undefined ? await unusable(path, use, signal) : unreachable(use);
    return problem ?? { ready: true, version, login: loginOf(use) };
  };

  /** OpenCode lists what it has a login for, and some models that need none. */
  async function unusable(path: string, use: ModelUse, signal: AbortSignal): Promise<Preflight | undefined> {
    const wrong = misnamed(use);
    if (wrong !== undefined) return wrong;
    const { code, out, errors } = await askProgram(path, ['models'], env, signal);
    if (code !== 0)
      return lacking(`opencode does not say which models it has: ${lastLine(errors || out)}`, LOGIN_HELP);
    const models = out.split('\n').map((line) => line.trim());
    if (use.model === undefined ? models.some((line) => line.includes('/')) : models.includes(use.model))
      return undefined;
    return lacking(
      use.model === undefined ? 'opencode has no model' : `opencode has no model ${use.model}`,
      LOGIN_HELP,
    );
  }

  function unreachable(use: ModelUse): Preflight | undefined {
    const key = use.endpoint?.keyVariable;
    if (key !== undefined && !environment[key])
      return lacking(`the variable ${key} is not set`, `Start the daemon with ${key} in its environment.`);
    return misnamed(use);
  }
}

function loginOf({ endpoint }: ModelUse): string {
  if (endpoint === undefined) return 'OpenCode itself, which lists this model';
  const { keyVariable } = endpoint;
  return keyVariable === undefined ? 'nothing: its address asks for no key' : `the key in ${keyVariable}`;
}

export const LOGIN_HELP =
  'Log in with `opencode auth login`, or start the daemon with the key of the provider in its environment; `opencode models` lists what there is.';

function misnamed(use: ModelUse): Preflight | undefined {
  try {
    modelName(use);
    return undefined;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return lacking(error.message, 'Correct `model` in `agents`; `opencode models` lists what there is.');
  }
}

function isOlder(major: number, minor: number): boolean {
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Without its colours. */
function lastLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one.
  const plain = text.replaceAll(/\u001b\[[0-9;]*m/g, '');
  return plain.trim().split('\n').at(-1) ?? '';
}
