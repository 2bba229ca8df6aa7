/** The token that GitHub's own command line keeps for this user. */
import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import type { Environment } from '../domain/environment.ts';

/** It reads a file or asks a keyring; a keyring that waits for a person must not hold up a start. */
const GH_TIMEOUT_MS = 5_000;
const OUTPUT_MAX_BYTES = 16_384;

/** Where `gh` keeps its settings, and how it reaches a keyring; above all no token, which it would only give back. */
const PASSED: readonly string[] = [
  'HOME',
  'GH_CONFIG_DIR',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** `undefined` where there is no `gh`, or it is not signed in to this host. */
export function ghToken(environment: Environment, host: string): Promise<string | undefined> {
  // A relative folder on the search path would mean whatever folder Legion was started in.
  const { PATH = '' } = environment;
  const path = PATH.split(':').filter(isAbsolute).join(':');
  if (path === '') return Promise.resolve(undefined);
  const chosen = PASSED.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = {
    ...Object.fromEntries(chosen),
    PATH: path,
    GH_NO_UPDATE_NOTIFIER: '1',
    GH_PROMPT_DISABLED: '1',
  };
  return new Promise((resolve) => {
    const child = execFile(
      'gh',
      ['auth', 'token', '--hostname', host],
      { env, cwd: '/', timeout: GH_TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_MAX_BYTES },
      (error, printed) => {
        const token = printed.trim();
        resolve(error !== null || token === '' ? undefined : token);
      },
    );
    child.stdin?.end();
  });
}
