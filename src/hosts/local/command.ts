/** Runs one bounded command for the host itself, such as a quality gate or a setup, and judges how it ended. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';
import { type RunResult, run, termLadder } from '../../lib/process/run.ts';
import { workerEnvironment } from './environment.ts';
import { errnoOf, messageOf, translated } from './faults.ts';
import { processTable } from './process-table.ts';
import { surveyor } from './survey.ts';
import { tailOf } from './tail.ts';

export interface BoundedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The daemon's environment, of which the command gets an allow-list, and what it gets beyond that. */
  readonly environment: Environment;
  readonly env: Environment;
  readonly timeoutMs: number;
  /** Both streams are appended to this file. */
  readonly outputFile: string;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs?: number;
  /** Ends it as if its time were up. */
  readonly signal?: AbortSignal;
  /** Hears by what the process group can be found again, should this process die. */
  readonly onStarted?: (group: CommandGroup) => void;
}

export interface CommandGroup {
  readonly pid: number;
  readonly marker: string;
}

/** `could_not_run` says nothing about what was to be checked: an earlier verdict stays. */
type Verdict = 'passed' | 'failed' | 'could_not_run';

export interface CommandOutcome {
  readonly verdict: Verdict;
  readonly why: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** The last of what it wrote. */
  readonly tail: string;
}

/** As for a worker that is stopped: what cleans up after itself needs some seconds. */
const GRACE_MS = 10_000;

/** By a shell: found but not executable, not found. */
const NOT_EXECUTED: readonly number[] = [126, 127];

interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly problem?: string;
}

/**
 * Resolves when the command itself has ended, whoever still holds its output. What it left running is left alone, for a
 * setup may start a server, unless its time was up: then its whole group is ended.
 */
export async function runCommand(command: BoundedCommand): Promise<CommandOutcome> {
  const { outputFile } = command;
  return translated(outputFile, async () => {
    const begun = performance.now();
    const output = await open(outputFile, 'a+', 0o600);
    try {
      const { size: before } = await output.stat();
      const ending = await ended(command, output);
      const tail = await tailOf(output, before);
      const { code, signal } = ending;
      return { ...verdictOn(ending), code, signal, durationMs: performance.now() - begun, tail };
    } finally {
      await output.close();
    }
  });
}

async function ended(command: BoundedCommand, output: FileHandle): Promise<Ending> {
  const { argv, cwd, environment, env, timeoutMs, graceMs = GRACE_MS, signal, onStarted } = command;
  const marker = `command/${randomUUID()}`;
  const given = { ...workerEnvironment(environment, env), PWD: cwd, [MARKER_VARIABLE]: marker };
  const [program, ...rest] = argv;
  let group: CommandGroup | undefined;
  try {
    const result = await run(program, rest, {
      cwd,
      env: given,
      timeoutMs,
      signal,
      outputTo: output.fd,
      ladder: termLadder(graceMs),
      ownGroup: true,
      onStarted(pid) {
        group = { pid, marker };
        onStarted?.(group);
      },
    });
    if (result.stopped !== undefined && group !== undefined) await endCommandGroup(group);
    return endingOf(result, timeoutMs);
  } catch (error) {
    return { code: null, signal: null, problem: signal?.aborted === true ? NOBODY_WAITS : messageOf(error) };
  }
}

const NOBODY_WAITS = 'it was ended because nobody waits for it any more';

function endingOf({ status, stopped }: RunResult, timeoutMs: number): Ending {
  const codes = typeof status === 'number' ? { code: status, signal: null } : { code: null, signal: status };
  if (stopped === undefined) return codes;
  return { ...codes, problem: stopped === 'aborted' ? NOBODY_WAITS : `it was ended after ${timeoutMs} ms` };
}

/** The end of a leader is not that of its group. Where that cannot be looked up, nothing is signalled. */
export async function endCommandGroup({ pid, marker }: CommandGroup): Promise<void> {
  try {
    const all = await surveyor(processTable('/proc')).fresh();
    // Somebody with the marker in the group proves that the pid has not been used again.
    if (all.some((each) => each.group === pid && each.marker === marker)) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof LegionError) && errnoOf(error) !== 'ESRCH') throw error;
  }
}

function verdictOn({ code, signal, problem }: Ending): Pick<CommandOutcome, 'verdict' | 'why'> {
  if (problem !== undefined) return { verdict: 'could_not_run', why: problem };
  if (signal !== null) return { verdict: 'could_not_run', why: `it was ended by ${signal}` };
  if (code === 0) return { verdict: 'passed', why: 'it ended with 0' };
  if (NOT_EXECUTED.includes(code ?? 0))
    return { verdict: 'could_not_run', why: `it ended with ${code}: a program could not be executed` };
  return { verdict: 'failed', why: `it ended with ${code}` };
}
