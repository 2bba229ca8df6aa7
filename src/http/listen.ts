/** Takes a port of this machine, for this machine only. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LegionError } from '../core/model/fault.ts';
import { listOpenFiles, listPids, listTcpSockets, readProcFile } from '../lib/process/proc-table.ts';

/** The daemon is reached from its own machine; whoever wants more has ssh. */
export const ADDRESS = '127.0.0.1';

/** Resolves to the port, which is another one where 0 was asked for. */
export async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: ADDRESS }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new LegionError('http.port_taken', describeTaken(port), { cause: error });
    throw new LegionError('http.port_unusable', `${ADDRESS}:${port}: ${message}`, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

/** Takes the port for a moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, port);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'http.port_taken') return false;
    throw error;
  } finally {
    server.close();
  }
}

export function describeTaken(port: number): string {
  const holder = findPortHolder(port);
  if (holder === undefined) return `Port ${port} on ${ADDRESS} is already in use.`;
  const { uid, pid, command } = holder;
  const by =
    pid === undefined ? `a process of the user with uid ${uid}` : `pid ${pid} (${command ?? 'unknown'})`;
  return `Port ${port} on ${ADDRESS} is already in use by ${by}.`;
}

const MAX_COMMAND_LENGTH = 200;

interface PortHolder {
  readonly uid: number;
  /** Undefined for a process of another user. */
  readonly pid?: number | undefined;
  readonly command?: string | undefined;
}

/** Undefined where the port is free again, or where the system does not tell. */
function findPortHolder(port: number): PortHolder | undefined {
  const socket = listTcpSockets().find(({ localPort, isListening }) => isListening && localPort === port);
  if (socket === undefined) return undefined;
  const pid = listPids().find((pid) => listOpenFiles(pid).includes(`socket:[${socket.inode}]`));
  return { uid: socket.uid, pid, command: pid === undefined ? undefined : commandOf(pid) };
}

/** Only the program and its script: later arguments may hold secrets. */
function commandOf(pid: number): string | undefined {
  const words = (readProcFile(pid, 'cmdline') ?? '').split('\0').slice(0, 2);
  const command = words.filter((word) => word !== '' && !word.startsWith('-')).join(' ');
  return command === '' ? undefined : command.slice(0, MAX_COMMAND_LENGTH);
}
