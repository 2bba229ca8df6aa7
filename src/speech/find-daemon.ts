/** Finds the daemon at the address it has now. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from '../domain/decode.ts';
import { DAEMON_FILE, type DaemonFile, daemonFileSchema } from '../protocol/daemon-file.ts';

/** Bytes. The file has five short fields; what is longer is not the daemon's. */
const FILE_MOST_BYTES = 16_384;

export type Found =
  | { readonly found: true; readonly daemon: DaemonFile }
  | { readonly found: false; readonly why: string };

/** Read anew at each call: a restarted daemon may have another port. */
export async function findDaemon(state: string): Promise<Found> {
  const path = join(state, DAEMON_FILE);
  const read = await readJson(path);
  if ('why' in read) return { found: false, why: read.why };
  const daemon = decode(daemonFileSchema, read.json, path);
  if (!daemon.ok) return { found: false, why: daemon.fault.message };
  if (new URL(daemon.value.url).protocol !== 'http:')
    return { found: false, why: `${path}: its address is not http` };
  return { found: true, daemon: daemon.value };
}

async function readJson(path: string): Promise<{ readonly json: unknown } | { readonly why: string }> {
  try {
    const text = await readShort(path);
    return text === undefined ? { why: `${path}: is too large` } : { json: JSON.parse(text) };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return { why: `no daemon leads this legion: ${path} is not there` };
    return { why: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function readShort(path: string): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(FILE_MOST_BYTES + 1),
      0,
      FILE_MOST_BYTES + 1,
      0,
    );
    return bytesRead > FILE_MOST_BYTES ? undefined : buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A process we may not see, as in a sandbox, counts as gone. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
