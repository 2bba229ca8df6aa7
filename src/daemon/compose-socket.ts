/** Where the daemon's Unix socket is: the same path at every start, and short enough for every system. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../domain/environment.ts';

/** Bytes. Linux takes 107 and macOS 103; longer paths are cut off or refused. */
export const SOCKET_PATH_MAX_BYTES = 100;

/** Enough of the hash for two legions never to share a name. */
const NAME_CHARS = 24;

/** In the state folder; where that path is too long, below `$XDG_RUNTIME_DIR`, or else in `/tmp/legion-UID`. */
export function socketPathFor(state: string, { XDG_RUNTIME_DIR: runtime = '' }: Environment): string {
  const own = join(state, 'daemon.sock');
  if (fits(own)) return own;
  const name = `${createHash('sha256').update(state).digest('hex').slice(0, NAME_CHARS)}.sock`;
  const below = join(runtime, 'legion', name);
  // A shell without a login session may name a folder that is gone.
  if (isAbsolute(runtime) && fits(below) && existsSync(runtime)) return below;
  return join('/tmp', `legion-${process.getuid?.() ?? 0}`, name);
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES;
}
