/**
 * An agent whose worker process is `legion drive`, which runs a session of the real agent program
 * turn by turn. Also finds such programs and queries them.
 */

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import type { SessionId } from '../core/model/ids.ts';
import { KILL_AT_ONCE, run } from '../lib/process/run.ts';
import type { Agent, LaunchOptions, LaunchSpec, PreflightResult } from '../ports/agent.ts';
import { readLine } from './agent-lines.ts';
import { readRecordTime } from './runner/session-record.ts';

export interface DrivenAgentOptions extends Pick<Agent, 'kind' | 'variables' | 'preflight' | 'loginHelp'> {
  /** Command that starts legion, such as `[process.execPath, '/…/bin/legion.js']`. */
  readonly launcher: readonly [string, ...string[]];
  /** Directory of the agent's session records. */
  readonly home: string;
  /** The real agent program, by name or path. */
  readonly program: string;
}

export function createDrivenAgent(options: DrivenAgentOptions): Agent {
  const { kind, variables, preflight, loginHelp, launcher, home, program } = options;

  function buildLaunchSpec(session: SessionId, start: LaunchOptions, args: readonly string[]): LaunchSpec {
    const { model, endpoint, prompt } = start;
    const flags = [
      ...['--session', session, '--home', home, '--program', program, ...args],
      ...(model === undefined ? [] : ['--model', model]),
      ...(endpoint === undefined ? [] : ['--url', endpoint.url]),
      ...(endpoint?.keyVariable === undefined ? [] : ['--key-variable', endpoint.keyVariable]),
    ];
    return {
      argv: [...launcher, 'drive', kind, ...flags],
      env: { NODE_COMPILE_CACHE: join(home, 'compiled') },
      stdin: prompt,
    };
  }

  return {
    kind,
    variables,
    receivesMessages: true,
    loginHelp,
    preflight,
    launch: (session, start) => buildLaunchSpec(session, start, []),
    resume: (session, native, start) =>
      buildLaunchSpec(session, start, ['--resume', ...(native === undefined ? [] : ['--native', native])]),
    read: readLine,
    session: (session) => readRecordTime(home, session),
  };
}

/** An executable on a cold disk takes seconds to respond, but a hung one must not block the caller. */
const ASK_TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 256 * 1_024;

/** Returns the program's path, or undefined if it is not on the PATH. */
export async function findProgram(
  program: string,
  { PATH = '' }: EnvironmentVariables,
): Promise<string | undefined> {
  const paths = isAbsolute(program)
    ? [program]
    : PATH.split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [join(folder, program)] : []));
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

export interface ProgramOutput {
  /** Null if the program was terminated by a signal, for example after a timeout. */
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/**
 * Runs the program for a short query, such as its version or login status. Never rejects: if the
 * program cannot run, `errors` contains the reason.
 */
export async function askProgram(
  program: string,
  args: readonly string[],
  env: EnvironmentVariables,
  signal: AbortSignal,
): Promise<ProgramOutput> {
  try {
    const limits = { timeoutMs: ASK_TIMEOUT_MS, maxOutputBytes: MAX_ANSWER_BYTES, ladder: KILL_AT_ONCE };
    const { status, stopped, stdout, stderr } = await run(program, args, {
      env,
      signal,
      input: '',
      ...limits,
    });
    const code = typeof status === 'number' && stopped === undefined ? status : null;
    const why = code === 0 ? '' : `${program} ended with ${stopped ?? status}`;
    return { code, out: stdout, errors: stderr === '' ? why : stderr };
  } catch (error) {
    return { code: null, out: '', errors: error instanceof Error ? error.message : String(error) };
  }
}

export function refusePreflight(problem: string, next: string): PreflightResult {
  return { ready: false, problem, next };
}
