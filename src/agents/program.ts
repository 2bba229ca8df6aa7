/** Finding an agent's program and asking it something short, such as its version or whether it is logged in. */

import { type ExecFileException, execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../domain/environment.ts';

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
export function askProgram(
  program: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<Said> {
  const limits = { timeout: ASK_MS, maxBuffer: ANSWER_MOST_BYTES, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...limits, env, signal }, (error, out, errors) => {
      const code = error === null ? 0 : exitCodeOf(error);
      resolve({ code, out, errors: errors === '' && error !== null ? error.message : errors });
    });
    child.stdin?.on('error', () => undefined).end();
  });
}

function exitCodeOf({ code }: ExecFileException): number | null {
  return typeof code === 'number' ? code : null;
}
