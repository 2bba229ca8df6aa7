/**
 * Runs one bounded command for the host itself, such as a quality gate or a setup, and judges its
 * result.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type EnvironmentVariables, MARKER_VARIABLE } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { createTermLadder, type RunResult, run } from '../../lib/process/run.ts';
import { getErrno, toErrorMessage, withHostFaults } from './faults.ts';
import { readTail } from './output.ts';
import { createProcessSurvey, createProcessTable } from './process-table.ts';
import { buildProcessEnvironment } from './runner.ts';

export interface BoundedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /**
   * The daemon's environment. The command gets only the variables on an allow-list, and those in
   * `env`.
   */
  readonly environment: EnvironmentVariables;
  readonly env: EnvironmentVariables;
  readonly timeoutMs: number;
  /** File to which both output streams are appended. */
  readonly outputFile: string;
  /** Delay between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** If aborted, terminates the command in the same way as a timeout. */
  readonly signal?: AbortSignal;
  /** Receives the data needed to find the process group again if this process crashes. */
  readonly onStarted?: (group: CommandGroup) => void;
}

export interface CommandGroup {
  readonly pid: number;
  readonly marker: string;
}

/** `could_not_run` proves nothing about the checked code, so an earlier verdict stays valid. */
type CommandVerdict = 'passed' | 'failed' | 'could_not_run';

export interface CommandOutcome {
  readonly verdict: CommandVerdict;
  readonly why: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The end of the command's output. */
  readonly tail: string;
}

/** Same as for a stopped worker, because a process needs a few seconds to clean up. */
const GRACE_MS = 10_000;

/** Shell exit codes for a program that is not executable and for one that is not found. */
const NOT_EXECUTED: readonly number[] = [126, 127];

interface CommandEnding {
  readonly code: number | null;
  readonly signal: string | null;
  readonly problem?: string;
}

/**
 * Resolves when the command itself has exited, even if another process still holds its output open.
 * Leaves its background processes running, because a setup may start a server. After a timeout,
 * terminates the whole group instead.
 */
export async function runCommand(command: BoundedCommand): Promise<CommandOutcome> {
  const { outputFile } = command;
  return withHostFaults(outputFile, async () => {
    const startedAt = performance.now();
    const output = await open(outputFile, 'a+', 0o600);
    try {
      const { size: before } = await output.stat();
      const ending = await runToEnd(command, output);
      const tail = await readTail(output, before);
      const { code, signal } = ending;
      return { ...judgeCommand(ending), code, signal, durationMs: performance.now() - startedAt, tail };
    } finally {
      await output.close();
    }
  });
}

async function runToEnd(command: BoundedCommand, output: FileHandle): Promise<CommandEnding> {
  const { argv, cwd, environment, env, timeoutMs, graceMs = GRACE_MS, signal, onStarted } = command;
  const marker = `command/${randomUUID()}`;
  const commandEnv = { ...buildProcessEnvironment(environment, env), PWD: cwd, [MARKER_VARIABLE]: marker };
  const [program, ...rest] = argv;
  let group: CommandGroup | undefined;
  try {
    const result = await run(program, rest, {
      cwd,
      env: commandEnv,
      timeoutMs,
      signal,
      outputTo: output.fd,
      ladder: createTermLadder(graceMs),
      ownGroup: true,
      onStarted(pid) {
        group = { pid, marker };
        onStarted?.(group);
      },
    });
    if (result.stopped !== undefined && group !== undefined) await endCommandGroup(group);
    return toCommandEnding(result, timeoutMs);
  } catch (error) {
    return {
      code: null,
      signal: null,
      problem: signal?.aborted === true ? ABORTED_REASON : toErrorMessage(error),
    };
  }
}

const ABORTED_REASON = 'it was cancelled';

function toCommandEnding({ status, stopped }: RunResult, timeoutMs: number): CommandEnding {
  const codes = typeof status === 'number' ? { code: status, signal: null } : { code: null, signal: status };
  if (stopped === undefined) return codes;
  return {
    ...codes,
    problem: stopped === 'aborted' ? ABORTED_REASON : `it was terminated after ${timeoutMs} ms`,
  };
}

/**
 * Terminates a command's group, which may outlive its leader. If the group cannot be checked, sends
 * no signal.
 */
export async function endCommandGroup({ pid, marker }: CommandGroup): Promise<void> {
  try {
    const all = await createProcessSurvey(createProcessTable('/proc')).scanNow();
    // A group member with the marker proves that the pid has not been reused.
    if (all.some((each) => each.group === pid && each.marker === marker)) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof LegionError) && getErrno(error) !== 'ESRCH') throw error;
  }
}

function judgeCommand({ code, signal, problem }: CommandEnding): Pick<CommandOutcome, 'verdict' | 'why'> {
  if (problem !== undefined) return { verdict: 'could_not_run', why: problem };
  if (signal !== null) return { verdict: 'could_not_run', why: `it was terminated by ${signal}` };
  if (code === 0) return { verdict: 'passed', why: 'it ended with 0' };
  if (NOT_EXECUTED.includes(code ?? 0))
    return { verdict: 'could_not_run', why: `it ended with ${code}: a program could not be executed` };
  return { verdict: 'failed', why: `it ended with ${code}` };
}
