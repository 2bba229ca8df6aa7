/** The token that GitHub's own command line keeps for this user. */
import { isAbsolute } from 'node:path';
import type { Environment } from '../domain/environment.ts';
import { KILL_AT_ONCE, run } from '../lib/process/run.ts';

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
export async function ghToken(environment: Environment, host: string): Promise<string | undefined> {
  // A relative folder on the search path would mean whatever folder Legion was started in.
  const { PATH = '' } = environment;
  const path = PATH.split(':').filter(isAbsolute).join(':');
  if (path === '') return undefined;
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
  const limits = { timeoutMs: GH_TIMEOUT_MS, maxOutputBytes: OUTPUT_MAX_BYTES, ladder: KILL_AT_ONCE };
  try {
    const { status, stdout } = await run('gh', ['auth', 'token', '--hostname', host], {
      env,
      cwd: '/',
      ...limits,
    });
    return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
  } catch {
    return undefined;
  }
}
