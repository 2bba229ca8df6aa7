/** Listens on the daemon's Unix socket, which only this user can reach. */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { findOwnerProblem, makePrivateFolder } from '../lib/fs/folder.ts';

const PRIVATE_SOCKET = 0o600;

/** Replaces the socket of a daemon that died; never takes one away on which somebody listens. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  try {
    const problem = makePrivateFolder(dirname(path));
    if (problem !== undefined) throw unusable(problem);
    await removeStale(path);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // Until here the folder alone keeps others away.
    chmodSync(path, PRIVATE_SOCKET);
  } catch (error) {
    if (error instanceof LegionError) throw error;
    throw unusable(`${path}: ${(error as Error).message}`, error);
  }
}

async function removeStale(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const problem = findOwnerProblem(path, stats, 'socket', (found) => found.isSocket());
  if (problem !== undefined) throw unusable(`${problem}; move it away`);
  // The legion's lock is held by now, so that only a process that is not its daemon can be listening.
  if (await isAnswered(path)) throw unusable(`another process listens on ${path}; end it`);
  rmSync(path, { force: true });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function unusable(message: string, cause?: unknown): LegionError {
  return new LegionError('daemon.socket_unusable', message, { cause });
}
