/** Finds out which user of this machine is at the other end of a connection. */
import type { Socket } from 'node:net';
import { listTcpSockets, type TcpSocket } from '../../lib/process/proc-table.ts';

/** Undefined where the system does not tell, as on macOS. */
export function socketOwner({ remotePort = 0, localPort = 0 }: Socket): number | undefined {
  return ownerIn(listTcpSockets(), remotePort, localPort);
}

/** Both ends are on this machine, so two ports name one connection; the other end's local port is our remote one. */
export function ownerIn(
  sockets: readonly TcpSocket[],
  theirPort: number,
  ourPort: number,
): number | undefined {
  return sockets.find(({ localPort, remotePort }) => localPort === theirPort && remotePort === ourPort)?.uid;
}
