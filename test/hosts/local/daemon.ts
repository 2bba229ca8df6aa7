/**
 * Runs as a separate process until it is killed: opens the host, starts the requested workers and
 * prints each start.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import type { NewProcess } from '../../../src/ports/host.ts';

const [folder = '', orders = '[]'] = process.argv.slice(2);

// Flushes the compile cache now, because Node writes it only on a normal exit, and this process is
// always killed.
flushCompileCache();
writeSync(1, 'opening\n');
const host = await openLocalHost({ folder, legion: 'owner/12', environment: process.env });
for (const order of JSON.parse(orders) as NewProcess[]) {
  const { pid } = await host.start(order);
  writeSync(1, `${order.attempt} is ${pid}\n`);
}
writeSync(1, 'started\n');
setInterval(() => {}, 60_000);
