/**
 * Runs as a separate process in its own namespace: prints how many processes one worker needs from
 * start to end.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { exitOf, order } from '../../ports/host/workers.ts';

const [folder = ''] = process.argv.slice(2);

/** In a pid namespace, each new process or thread gets the next number. */
const lastPid = () => Number(readFileSync('/proc/sys/kernel/ns_last_pid', 'utf8'));

const host = await openLocalHost({ folder: join(folder, 'state'), legion: 'here', environment: process.env });
const run = async (attempt: number) =>
  exitOf(host, await host.start(order(folder, 'exit 3', { worker: 'a-1-plan', attempt })));
// Runs once before measuring, because Node starts its own threads in the first run.
await run(1);
const before = lastPid();
const { code } = await run(2);
process.stdout.write(JSON.stringify({ code, processes: lastPid() - before }));
