/**
 * Defines the runner, a shell script that claims an attempt, starts its process, waits for it and
 * records its exit status. Also builds the environment that the runner passes on.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type EnvironmentVariables, MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';

export const SHELL = '/bin/sh';

/**
 * Script of the runner. It is a shell script because 200 runners wait at once: each takes 0.12 MB,
 * while a Node process would take 40 MB. It gets everything as arguments; nothing is interpolated
 * into its text, and no data flows through it.
 *
 * - The claim is a file that can be created only once (`set -C` is O_EXCL): of any number of
 *   runners, one continues.
 * - The runner traps signals instead of ignoring them, because the worker would inherit ignored
 *   signals.
 * - `read` and `printf` are built in, so `/proc/self` is the shell itself: first the runner, then
 *   its subshell, whose pid and start time stay the same when it becomes `setsid` and then the
 *   worker.
 * - `1<>` overwrites blanks that already occupy disk space, in one write. So a full disk cannot
 *   lose an exit status, and a concurrent reader recognises an incomplete record by the blanks at
 *   its end. No other program is needed.
 * - The runner's variables have a prefix. Without it, the runner could change inherited variables
 *   of the same name, and the worker would get the changed values.
 */
const RUNNER_SCRIPT = `
legion_folder=$1 legion_marker=$2 legion_facts=$3 legion_setsid=$4
shift 4
trap : HUP INT QUIT TERM USR1 USR2 ALRM
legion_look() { read -r legion_line </proc/self/stat; set -- \${legion_line##*) }; legion_start=\${20}; }
set -C
exec 9>"$legion_folder/claim" || exit 0
set +C
legion_look
printf '%s %s\\n' "$$" "$legion_start" >&9
exec 9>&-
(
  read -r legion_pid legion_line </proc/self/stat
  legion_look
  printf '{"pid":%s,"ticks":"%s",%s}' "$legion_pid" "$legion_start" "$legion_facts" 1<>"$legion_folder/process.json" ||
    exit 126
  export ${MARKER_VARIABLE}="$legion_marker"
  exec "$legion_setsid" -- "$@"
) <"$legion_folder/stdin" >>"$legion_folder/out" 2>>"$legion_folder/err"
printf '{"status":%s}' "$?" 1<>"$legion_folder/exit.json"
`;

/** Reserves space for the status, which has at most three digits. */
export const EXIT_RESERVE = ' '.repeat(32);
/** Reserves space for the facts, a pid and a start time. */
export function createProcessReserve(facts: string): string {
  return ' '.repeat(Buffer.byteLength(facts) + 96);
}

/**
 * Directories to search for tools. The worker's PATH is not searched, because any directory may
 * come first in it.
 */
const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** Finds the program that gives the worker its own session. */
export function findSetsid(): string {
  const path = TOOL_FOLDERS.map((folder) => join(folder, 'setsid')).find(isExecutable);
  if (path === undefined)
    throw new LegionError('host.unsupported', `the program "setsid" is not in ${TOOL_FOLDERS.join(', ')}`);
  return path;
}

export interface RunnerOptions {
  readonly folder: string;
  readonly marker: string;
  /** Members of a JSON object, without the braces around them. */
  readonly facts: string;
  readonly setsid: string;
  readonly argv: readonly string[];
}

export function buildRunnerArguments({ folder, marker, facts, setsid, argv }: RunnerOptions): string[] {
  return ['-c', RUNNER_SCRIPT, 'legion-runner', folder, marker, facts, setsid, ...argv];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Variables for paths, user, locale and proxy settings. None of them usually contains a secret. */
const INHERITED_VARIABLES: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'TERM', 'COLORTERM', 'LANG', 'LANGUAGE'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];

/** Valid variable names. A POSIX shell does not pass other variables to its child processes. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Builds a worker's environment: the daemon's variables on an allow-list, and `extra`, which takes
 * precedence. Throws `input.invalid` for a variable that would not reach the worker unchanged.
 */
export function buildProcessEnvironment(
  daemon: EnvironmentVariables,
  extra: EnvironmentVariables,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(daemon)) {
    if (
      value !== undefined &&
      (INHERITED_VARIABLES.includes(name) || name.startsWith('LC_')) &&
      VARIABLE_NAME.test(name)
    ) {
      environment[name] = value;
    }
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value === undefined) continue;
    refuseUnfitVariable(name, value);
    environment[name] = value;
  }
  return environment;
}

function refuseUnfitVariable(name: string, value: string): void {
  const problem = !VARIABLE_NAME.test(name)
    ? 'is not a variable name that a shell passes to its child processes'
    : // The runner's own variables have this prefix.
      name === MARKER_VARIABLE || name.startsWith('legion_')
      ? 'is reserved for Legion'
      : value.includes('\0')
        ? 'contains a NUL character in its value'
        : undefined;
  if (problem !== undefined) throw new LegionError('input.invalid', `env[${quoteText(name)}]: ${problem}`);
}
