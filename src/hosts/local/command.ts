/** Runs one bounded command for the host itself: a quality gate, a setup, a check; its verdict, and the end of its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Environment } from '../../domain/environment.ts';
import { LegionError } from '../../domain/fault.ts';
import { MARKER_VARIABLE } from '../../domain/marker.ts';
import { workerEnvironment } from './environment.ts';
import { errnoOf, translated } from './faults.ts';
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

/** The longest a timer of Node can be set to: 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
      return { ...verdictOn(ending), ...codes(ending), durationMs: performance.now() - begun, tail };
    } finally {
      await output.close();
    }
  });
}

async function ended(command: BoundedCommand, output: FileHandle): Promise<Ending> {
  const { argv, cwd, environment, env, timeoutMs, graceMs = GRACE_MS } = command;
  const marker = `command/${randomUUID()}`;
  const given = { ...workerEnvironment(environment, env), PWD: cwd, [MARKER_VARIABLE]: marker };
  const [program, ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    env: given,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  if (child.pid !== undefined) command.onStarted?.({ pid: child.pid, marker });
  const end = endOf(child);
  const within = await Promise.race([end, after(timeoutMs, end), aborted(command.signal, end)]);
  if (within !== 'late' && within !== 'aborted') return within;
  signalGroup(child.pid, 'SIGTERM');
  if ((await Promise.race([end, after(graceMs, end)])) === 'late') signalGroup(child.pid, 'SIGKILL');
  const { code, signal } = await end;
  if (child.pid !== undefined) await endCommandGroup({ pid: child.pid, marker });
  const when = within === 'aborted' ? 'because nobody waits for it any more' : `after ${timeoutMs} ms`;
  return { code, signal, problem: `it was ended ${when}` };
}

/** Leaves no listener behind once `end` has come. */
function aborted(signal: AbortSignal | undefined, end: Promise<unknown>): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal === undefined) return;
    const tell = () => resolve('aborted');
    if (signal.aborted) tell();
    signal.addEventListener('abort', tell, { once: true });
    void end.finally(() => signal.removeEventListener('abort', tell));
  });
}

function endOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => resolve({ code: null, signal: null, problem: error.message }));
  });
}

/** Leaves no timer behind once `end` has come. */
function after(ms: number, end: Promise<unknown>): Promise<'late'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('late'), Math.min(ms, LONGEST_TIMER_MS));
    void end.finally(() => clearTimeout(timer));
  });
}

/** The pid must be nobody else's: the leader's end has not been seen yet, or somebody with the marker is in its group. */
function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}

/** The end of a leader is not that of its group. Where that cannot be looked up, nothing is signalled. */
export async function endCommandGroup({ pid, marker }: CommandGroup): Promise<void> {
  try {
    const all = await surveyor(processTable('/proc')).fresh();
    if (all.some((each) => each.group === pid && each.marker === marker)) signalGroup(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
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

function codes({ code, signal }: Ending): Pick<CommandOutcome, 'code' | 'signal'> {
  return { code, signal };
}
