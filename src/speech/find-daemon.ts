/** Finds the socket on which the daemon listens now. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { decode } from '../domain/decode.ts';
import { DAEMON_FILE, daemonFileSchema } from '../protocol/daemon-file.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';

/** Bytes. The file has six short fields; a longer one is not the daemon's. */
const FILE_MOST_BYTES = 16_384;

type FoundSocket =
  | { readonly found: true; readonly socket: string }
  | { readonly found: false; readonly why: string };

/**
 * Reads `daemon.json` at each call, because a restarted daemon may have another socket. Where the file cannot be read, the
 * socket that the worker was started with is worth a try.
 */
export async function findSocket({
  LEGION_STATE,
  LEGION_SOCKET,
}: Pick<WorkerEnvironment, 'LEGION_STATE' | 'LEGION_SOCKET'>): Promise<FoundSocket> {
  const announced = await announcedSocket(join(LEGION_STATE, DAEMON_FILE));
  if (announced.found || LEGION_SOCKET === undefined) return announced;
  return { found: true, socket: LEGION_SOCKET };
}

async function announcedSocket(path: string): Promise<FoundSocket> {
  const read = await readJson(path);
  if ('why' in read) return { found: false, why: read.why };
  const daemon = decode(daemonFileSchema, read.json, path);
  if (!daemon.ok) return { found: false, why: daemon.fault.message };
  const { socket } = daemon.value;
  if (socket === undefined)
    return { found: false, why: `${path}: the daemon of an older Legion has no socket` };
  return { found: true, socket };
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
