/** Run as a process of its own until it is killed: opens the host, starts its orders and says so. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { NewProcess } from '../../../src/hosts/host.ts';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';

const [folder = '', orders = '[]'] = process.argv.slice(2);

// Node writes its cache at a regular exit, which no life of this process has.
flushCompileCache();
writeSync(1, 'opening\n');
const host = await openLocalHost({ folder, legion: 'owner/12', environment: process.env });
for (const order of JSON.parse(orders) as NewProcess[]) {
  const { pid } = await host.start(order);
  writeSync(1, `${order.attempt} is ${pid}\n`);
}
writeSync(1, 'started\n');
setInterval(() => {}, 60_000);
