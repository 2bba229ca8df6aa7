/** Checks who can be listening on a daemon's socket, before anything secret is sent to it. */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { findFolderProblem, findOwnerProblem } from '../lib/fs/folder.ts';

/**
 * Rejects with `daemon.socket_untrusted` where another user could be listening. In a folder that only this user can enter,
 * nobody else can exchange the socket between this check and the connection. Throws `ENOENT` where there is no socket.
 */
export function verifySocket(path: string): void {
  const problem =
    findFolderProblem(dirname(path)) ??
    findOwnerProblem(path, lstatSync(path), 'socket', (stats) => stats.isSocket());
  if (problem !== undefined) throw new LegionError('daemon.socket_untrusted', problem);
}
