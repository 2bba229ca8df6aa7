/** Which user of this machine is at the other end of a connection, as far as the system tells. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** A browser may come over a socket of either kind. macOS has neither file: there nobody can be told apart. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Undefined where it is not known. */
export async function socketOwner({ remotePort = 0, localPort = 0 }: Socket): Promise<number | undefined> {
  const texts = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  return ownerIn(texts.join('\n'), remotePort, localPort);
}

/**
 * A line is `sl local_address rem_address st tx:rx tr:when retrnsmt uid …`, addresses as `0100007F:1F90`. The other end's local
 * port is our remote one. Both ends are on this machine, so that two ports name one connection.
 */
export function ownerIn(table: string, theirPort: number, ourPort: number): number | undefined {
  const [theirs, ours] = [theirPort, ourPort].map(
    (port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const lines = table.split('\n').map((line) => line.trim().split(/\s+/));
  const found = lines.find(
    ([, local = '', remote = '']) => local.endsWith(theirs ?? '') && remote.endsWith(ours ?? ''),
  );
  const uid = Number(found?.[7]);
  return Number.isInteger(uid) ? uid : undefined;
}
