/**
 * Runs one turn of an agent as a process, and finds and terminates the other processes of this
 * worker: members of its group, and those that left the group but carry its marker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type EnvironmentVariables, MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { hasEnded, listPids, type ProcStat, readProcFile, readStat } from '../../lib/process/proc-table.ts';
import { type RunResult, run, type SignalLadder } from '../../lib/process/run.ts';
import { LineSplitter } from '../../protocol/line-splitter.ts';

/**
 * Signals to send, each with the time in milliseconds to wait for processes to exit: first
 * terminate, then kill.
 */
const GROUP_STOP_LADDER: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGTERM', 3_000],
  ['SIGKILL', 3_000],
];
const GROUP_POLL_MS = 50;

/** A pid alone may have been reused, but a pid and a start time identify one process. */
export interface GroupMember {
  readonly pid: number;
  /** Clock ticks from boot to the start of the process. */
  readonly ticks: string;
}

export interface ProcessGroup {
  /** Running processes except this one and its ancestors, which the host manages. */
  listMembers(): readonly GroupMember[];
  /** Terminates every process not in `spared`. Rejects with `agent.stuck` if one survives SIGKILL. */
  endOthers(spared: readonly GroupMember[]): Promise<void>;
}

/**
 * Throws `agent.not_ready` if there is no proc file system. `env` is the environment of this
 * process.
 */
export function openOwnGroup(env: EnvironmentVariables, proc = '/proc'): ProcessGroup {
  const marker = env[MARKER_VARIABLE];
  const marking = marker === undefined ? undefined : `\0${MARKER_VARIABLE}=${marker}\0`;

  function listMembers(): readonly GroupMember[] {
    const table = readProcesses(proc);
    const own = table.get(process.pid);
    if (own === undefined) throw new LegionError('agent.not_ready', `${proc} does not list processes`);
    const ancestors = new Set<number>();
    for (let each: ProcStat | undefined = own; each !== undefined && !ancestors.has(each.pid); ) {
      ancestors.add(each.pid);
      each = table.get(each.parent);
    }
    // A group led by another process, such as a shell or a test runner, contains processes that are
    // not ours.
    const ownGroup = own.group === process.pid ? own.group : undefined;
    return [...table.values()]
      .filter(({ pid, group }) => !ancestors.has(pid) && (group === ownGroup || isMarked(proc, pid, marking)))
      .map(({ pid, ticks }) => ({ pid, ticks }));
  }

  function listOthers(spared: readonly GroupMember[]): readonly GroupMember[] {
    return listMembers().filter((each) => !spared.some((one) => isSameMember(one, each)));
  }

  return {
    listMembers,
    async endOthers(spared) {
      for (const [signal, graceMs] of GROUP_STOP_LADDER) {
        const signalled = new Set<string>();
        // Lists the processes again on every pass, because a process may have started another just
        // before it was signalled.
        for (const until = Date.now() + graceMs; ; await sleep(GROUP_POLL_MS)) {
          const left = listOthers(spared);
          if (left.length === 0) return;
          for (const each of left) {
            const name = `${each.pid}/${each.ticks}`;
            if (!signalled.has(name)) sendSignal(each.pid, signal);
            signalled.add(name);
          }
          if (Date.now() >= until) break;
        }
      }
      const left = listOthers(spared);
      if (left.length > 0)
        throw new LegionError(
          'agent.stuck',
          `still running after SIGKILL: ${left.map(({ pid }) => pid).join(', ')}`,
        );
    },
  };
}

function isSameMember(one: GroupMember, other: GroupMember): boolean {
  return one.pid === other.pid && one.ticks === other.ticks;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just exited by itself.
  }
}

function readProcesses(proc: string): ReadonlyMap<number, ProcStat> {
  try {
    const stats = listPids(proc).flatMap((pid) => readStat(pid, proc) ?? []);
    return new Map(stats.filter((stat) => !hasEnded(stat)).map((stat) => [stat.pid, stat]));
  } catch (error) {
    throw new LegionError('agent.not_ready', `${proc} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** Ignores processes whose environment is unreadable: they belong to another user. */
function isMarked(proc: string, pid: number, marking: string | undefined): boolean {
  return marking !== undefined && `\0${readProcFile(pid, 'environ', proc) ?? ''}\0`.includes(marking);
}

/**
 * Starts with SIGINT, which Ctrl-C at a terminal sends. The signals are sent after 0, 8 and 13 s.
 */
const TURN_STOP_LADDER: SignalLadder = [
  ['SIGINT', 8_000],
  ['SIGTERM', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Maximum number of standard error characters kept. The end is kept, because it contains the error.
 */
const MAX_KEPT_ERROR_CHARS = 8_192;

export interface TurnProcess {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export interface TurnExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of standard error. */
  readonly errors: string;
  readonly isInterrupted: boolean;
}

/**
 * Runs one turn of an agent as one process: sends the prompt to its standard input and reads its
 * output line by line. `onLine` receives each line, or undefined for a line that is too long to
 * keep in memory. Rejects with `agent.not_ready` or `agent.stuck`.
 */
export async function runTurnProcess(
  process: TurnProcess,
  onLine: (line: string | undefined) => void,
  interrupt: AbortSignal,
  ladder: SignalLadder = TURN_STOP_LADDER,
): Promise<TurnExit> {
  if (interrupt.aborted) return { code: null, signal: null, errors: '', isInterrupted: true };
  // If reading the output fails, for example on a full disk, terminates the agent instead of
  // letting it work unobserved.
  const broken = new AbortController();
  const lines = new LineSplitter();
  const onText = (text: string) => {
    try {
      for (const line of lines.take(text)) if (!broken.signal.aborted) onLine(line);
    } catch (error) {
      broken.abort(error);
    }
  };
  const signal = AbortSignal.any([interrupt, broken.signal]);
  const { status, stderr } = await spawnTurnProcess(process, onText, signal, ladder);
  if (status === 'stuck')
    throw new LegionError('agent.stuck', `${process.argv[0]} is still running after SIGKILL`);
  onText('\n');
  broken.signal.throwIfAborted();
  return {
    code: typeof status === 'number' ? status : null,
    signal: typeof status === 'string' ? status : null,
    errors: stderr.slice(-MAX_KEPT_ERROR_CHARS),
    isInterrupted: interrupt.aborted,
  };
}

/**
 * Starts the process in the worker's group, so that stopping the group stops the agent and its
 * tools too.
 */
async function spawnTurnProcess(
  { argv, cwd, env, stdin }: TurnProcess,
  onStdout: (text: string) => void,
  signal: AbortSignal,
  ladder: SignalLadder,
): Promise<RunResult> {
  const [program, ...args] = argv;
  const timeoutMs = Number.POSITIVE_INFINITY; // the daemon supervises the duration of a turn
  try {
    return await run(program, args, { cwd, env, input: stdin, timeoutMs, signal, onStdout, ladder });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('agent.not_ready', `${program} could not be started: ${why}`, { cause: error });
  }
}
