/** Finds the socket on which the daemon listens now. */
import { join } from 'node:path';
import { decodeJson } from '../domain/decode.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
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
  const announced = announcedSocket(join(LEGION_STATE, DAEMON_FILE));
  if (announced.found || LEGION_SOCKET === undefined) return announced;
  return { found: true, socket: LEGION_SOCKET };
}

function announcedSocket(path: string): FoundSocket {
  const text = readText(path);
  if (typeof text !== 'string') return { found: false, why: text.why };
  const daemon = decodeJson(daemonFileSchema, text, path);
  if (!daemon.ok) return { found: false, why: daemon.fault.message };
  const { socket } = daemon.value;
  if (socket === undefined)
    return { found: false, why: `${path}: the daemon of an older Legion has no socket` };
  return { found: true, socket };
}

function readText(path: string): string | { readonly why: string } {
  try {
    const bytes = readBounded(path, FILE_MOST_BYTES, 'links');
    return typeof bytes === 'string'
      ? { why: `${path}: is ${bytes === 'folder' ? 'a folder' : bytes}` }
      : bytes.toString();
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return { why: `no daemon leads this legion: ${path} is not there` };
    return { why: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
