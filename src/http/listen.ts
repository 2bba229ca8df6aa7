/** Takes a port of this machine, for this machine only. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LegionError } from '../domain/fault.ts';

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
    const isTaken = code === 'EADDRINUSE';
    throw new LegionError(
      isTaken ? 'http.port_taken' : 'http.port_unusable',
      isTaken ? `something listens at ${ADDRESS}:${port} already` : `${ADDRESS}:${port}: ${message}`,
      { cause: error },
    );
  }
  return (server.address() as AddressInfo).port;
}
