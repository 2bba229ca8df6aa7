/** The environment of a worker: what it needs of the daemon's, by name, and nothing else. */

import { LegionError, shown } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';

/** Where programs, files and the person are, how to show text, and how to get out; no name that usually holds a secret. */
const ALLOWED: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'TERM', 'COLORTERM', 'LANG', 'LANGUAGE'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

/** The only names a POSIX shell hands on. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `given` wins; a variable that would not arrive as it was given is refused with `input.invalid`. */
export function workerEnvironment(daemon: Environment, given: Environment): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(daemon)) {
    if (value !== undefined && (ALLOWED.includes(name) || name.startsWith('LC_')) && NAME.test(name)) {
      environment[name] = value;
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    refuseUnfit(name, value);
    environment[name] = value;
  }
  return environment;
}

function refuseUnfit(name: string, value: string): void {
  const complaint = !NAME.test(name)
    ? 'is not a name a shell hands on'
    : // The runner's own variables have this prefix.
      name === MARKER_VARIABLE || name.startsWith('legion_')
      ? 'is a name Legion sets itself'
      : value.includes('\0')
        ? 'has a NUL in its value'
        : undefined;
  if (complaint !== undefined) throw new LegionError('input.invalid', `env[${shown(name)}]: ${complaint}`);
}
