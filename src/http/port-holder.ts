/** Finds out which process of this machine listens at a port, as far as this user may know. */
import { listOpenFiles, listPids, listTcpSockets, readProcFile } from '../lib/process/proc-table.ts';

const MAX_COMMAND_LENGTH = 200;

export interface PortHolder {
  readonly uid: number;
  /** Undefined for a process of another user. */
  readonly pid?: number | undefined;
  readonly command?: string | undefined;
}

/** Undefined where the port is free again, or where the system does not tell. */
export function findPortHolder(port: number): PortHolder | undefined {
  const socket = listTcpSockets().find(({ localPort, isListening }) => isListening && localPort === port);
  if (socket === undefined) return undefined;
  const pid = processWith(socket.inode);
  return { uid: socket.uid, pid, command: pid === undefined ? undefined : commandOf(pid) };
}

function processWith(inode: string): number | undefined {
  return listPids().find((pid) => listOpenFiles(pid).includes(`socket:[${inode}]`));
}

/** Only the program and its script: later arguments may hold secrets. */
function commandOf(pid: number): string | undefined {
  const words = (readProcFile(pid, 'cmdline') ?? '').split('\0').slice(0, 2);
  const command = words.filter((word) => word !== '' && !word.startsWith('-')).join(' ');
  return command === '' ? undefined : command.slice(0, MAX_COMMAND_LENGTH);
}
