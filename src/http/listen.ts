/**
 * Listens on a loopback port and on the daemon's Unix socket, and reports which process holds a
 * port that is in use.
 */

import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { findOwnerProblem, makePrivateFolder } from '../lib/fs/folder.ts';
import { listOpenFiles, listPids, listTcpSockets, readProcFile } from '../lib/process/proc-table.ts';

/** The daemon is reachable only from its own machine. Remote access needs ssh. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

/** Resolves to the actual port, which differs from `port` only if `port` is 0. */
export async function listenOnPort(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: LOOPBACK_ADDRESS }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new LegionError('http.port_taken', describeTakenPort(port), { cause: error });
    throw new LegionError('http.port_unusable', `${LOOPBACK_ADDRESS}:${port}: ${message}`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

/** Tests whether the port is free by listening on it for a moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listenOnPort(server, port);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'http.port_taken') return false;
    throw error;
  } finally {
    server.close();
  }
}

export function describeTakenPort(port: number): string {
  const holder = findPortHolder(port);
  if (holder === undefined) return `Port ${port} on ${LOOPBACK_ADDRESS} is already in use.`;
  const { uid, pid, command } = holder;
  const by =
    pid === undefined ? `a process of the user with uid ${uid}` : `pid ${pid} (${command ?? 'unknown'})`;
  return `Port ${port} on ${LOOPBACK_ADDRESS} is already in use by ${by}.`;
}

const MAX_COMMAND_LENGTH = 200;

interface PortHolder {
  readonly uid: number;
  /** Undefined if the process belongs to another user. */
  readonly pid?: number | undefined;
  readonly command?: string | undefined;
}

/**
 * Returns undefined if the port has become free or the system does not reveal the process that
 * holds it.
 */
function findPortHolder(port: number): PortHolder | undefined {
  const socket = listTcpSockets().find(({ localPort, isListening }) => isListening && localPort === port);
  if (socket === undefined) return undefined;
  const pid = listPids().find((pid) => listOpenFiles(pid).includes(`socket:[${socket.inode}]`));
  return { uid: socket.uid, pid, command: pid === undefined ? undefined : readCommand(pid) };
}

/** Returns only the program and its script, because the other arguments may contain secrets. */
function readCommand(pid: number): string | undefined {
  const words = (readProcFile(pid, 'cmdline') ?? '').split('\0').slice(0, 2);
  const command = words.filter((word) => word !== '' && !word.startsWith('-')).join(' ');
  return command === '' ? undefined : command.slice(0, MAX_COMMAND_LENGTH);
}

const PRIVATE_SOCKET_MODE = 0o600;

/**
 * Listens on the daemon's Unix socket, which only this user can reach. Replaces the socket of a
 * crashed daemon, but never one that a process is still listening on.
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  try {
    const problem = makePrivateFolder(dirname(path));
    if (problem !== undefined) throw createSocketError(problem);
    await removeStaleSocket(path);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ path }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // Until the permissions are set here, only the permissions of the directory keep other users
    // out.
    chmodSync(path, PRIVATE_SOCKET_MODE);
  } catch (error) {
    if (error instanceof LegionError) throw error;
    throw createSocketError(`${path}: ${(error as Error).message}`, error);
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const problem = findOwnerProblem(path, stats, 'socket', (entry) => entry.isSocket());
  if (problem !== undefined) throw createSocketError(`${problem}; remove it`);
  // This process already holds the legion's lock, so a process that is still listening on the
  // socket cannot be the legion's daemon.
  if (await isSocketAnswered(path))
    throw createSocketError(`Another process is listening on ${path}. Stop it.`);
  rmSync(path, { force: true });
}

function isSocketAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function createSocketError(message: string, cause?: unknown): LegionError {
  return new LegionError('daemon.socket_unusable', message, { cause });
}
