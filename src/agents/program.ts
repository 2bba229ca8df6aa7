/** Finding an agent's program and asking it something short, such as its version or whether it is logged in. */

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../domain/environment.ts';
import { KILL_AT_ONCE, run } from '../lib/process/run.ts';
import type { Preflight } from '../ports/agent.ts';

/** A program on a cold disk takes seconds; one that hangs must not hold the answer up. */
const ASK_MS = 20_000;
const ANSWER_MOST_BYTES = 256 * 1_024;

/** Its path, or undefined where there is none on the PATH. */
export async function findProgram(program: string, { PATH = '' }: Environment): Promise<string | undefined> {
  const places = isAbsolute(program)
    ? [program]
    : PATH.split(delimiter).flatMap((folder) => (isAbsolute(folder) ? [join(folder, program)] : []));
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}

export interface Said {
  /** Null where it was ended by a signal, such as for taking too long. */
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Never rejects: a program that cannot be run has said why on its standard error. */
export async function askProgram(
  program: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<Said> {
  try {
    const limits = { timeoutMs: ASK_MS, maxOutputBytes: ANSWER_MOST_BYTES, ladder: KILL_AT_ONCE };
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

export function lacking(problem: string, next: string): Preflight {
  return { ready: false, problem, next };
}
