/** Codes that open the dashboard: each once, within a minute, and never for somebody who guesses. */
import { randomBytes } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import { hashOf } from './hash-of.ts';

/** 128 bits: nobody finds one of a few by trying, whatever the time. */
const CODE_BYTES = 16;
/** Between the command and the browser it opens lies a second; a person who types the address takes longer. */
export const CODE_MS = 60_000;
/** Given out and not used yet. Whoever asks for more has lost the first ones. */
export const MOST_CODES = 16;
/** Wrong codes in a minute; a person is wrong once, with a code that was used. */
export const MOST_TRIES = 10;
export const TRIES_MS = 60_000;

interface Code {
  readonly code: string;
  readonly expiresAt: number;
}

export interface Codes {
  make(): Code;
  /** Returns where it was one, which it is then no more; refuses everything else. */
  spend(code: string): void;
}

/** In memory only: after a restart none of them opens anything. By the monotonic clock, which nobody can set back. */
export function openCodes(clock: Clock): Codes {
  const endings = new Map<string, number>();
  let tries: number[] = [];

  function make(): Code {
    // Only the operator comes here: who guesses must not be able to keep him out.
    tries = [];
    const code = randomBytes(CODE_BYTES).toString('base64url');
    endings.set(hashOf(code), clock.monotonic() + CODE_MS);
    for (const [oldest] of endings) if (endings.size > MOST_CODES) endings.delete(oldest);
    return { code, expiresAt: clock.now() + CODE_MS };
  }

  function spend(code: string): void {
    const now = clock.monotonic();
    tries = tries.filter((at) => now - at < TRIES_MS);
    // Not even looked at, so that a right one is not used up by it.
    if (tries.length >= MOST_TRIES) {
      throw new LegionError('http.too_many_tries', `${MOST_TRIES} wrong codes came in within a minute`);
    }
    // Found by its hash: how long that takes says nothing about the code.
    const hash = hashOf(code);
    const ending = endings.get(hash);
    endings.delete(hash);
    if (ending !== undefined && now < ending) return;
    tries.push(now);
    throw new LegionError('http.code_unknown', 'this code opens nothing, or nothing any more');
  }

  return { make, spend };
}
