/** The runner: a shell script that claims an attempt, starts its process, waits for it and writes its exit status down. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';

export const SHELL = '/bin/sh';

/**
 * A shell, because 200 of them wait at once: it takes 0.12 MB of its own where Node would take forty. It gets
 * everything as arguments; nothing is ever put into its text, and no data flows through it.
 *
 * - The claim is a file that can be created once (`set -C` is O_EXCL): of any number of runners one goes on.
 * - It traps signals instead of ignoring them, since what is ignored would be ignored by the worker too.
 * - `read` and `printf` are built in, so `/proc/self` is the shell itself: first the runner, then its subshell, whose pid
 *   and start time stay the same when it becomes `setsid` and then the worker.
 * - `1<>` writes over blanks that have their place on the disk already, in one go: a full disk takes nobody's exit status,
 *   and whoever reads meanwhile sees blanks at the end that tell that it is not whole. No other program is needed for that.
 * - Its variables have a prefix: one that came with the environment would be handed on to the worker changed.
 */
const SCRIPT = `
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

/** Room for the status, three digits at the most. */
export const EXIT_RESERVE = ' '.repeat(32);
/** Room for the facts, a pid and a start time. */
export function processReserve(facts: string): string {
  return ' '.repeat(Buffer.byteLength(facts) + 96);
}

/** Not by the worker's PATH, on which anything may stand first. */
const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The program that gives the worker a session of its own. */
export function findSetsid(): string {
  const found = TOOL_FOLDERS.map((folder) => join(folder, 'setsid')).find(isExecutable);
  if (found === undefined)
    throw new LegionError('host.unsupported', `the program "setsid" is not in ${TOOL_FOLDERS.join(', ')}`);
  return found;
}

export interface RunnerOrder {
  readonly folder: string;
  readonly marker: string;
  /** Members of a JSON object, without its braces. */
  readonly facts: string;
  readonly setsid: string;
  readonly argv: readonly string[];
}

export function runnerArguments({ folder, marker, facts, setsid, argv }: RunnerOrder): string[] {
  return ['-c', SCRIPT, 'legion-runner', folder, marker, facts, setsid, ...argv];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
