/**
 * Runs as a separate process on a small disk: starts a worker that fills the disk and exits, and
 * prints what the host reports.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { exitOf, order } from '../../ports/host/workers.ts';
import { refusal } from '../../ports/journal/refusal.ts';

const [folder = ''] = process.argv.slice(2);

const host = await openLocalHost({ folder: join(folder, 'state'), legion: 'here', environment: process.env });
const worker = order(folder, 'cat /dev/zero >fill; cat /dev/zero >>fill; exit 3');
const exit = await exitOf(host, await host.start(worker));
const next = {
  ...worker,
  argv: ['/bin/sh', '-c', 'exit 4'] as const,
  attempt: 2,
  stdin: 'x'.repeat(100_000),
};
const refused = await refusal(host.start(next));
rmSync(join(folder, 'fill'));
const afterRoomWasMade = await exitOf(host, await host.start(next));
process.stdout.write(JSON.stringify({ exit, refused, afterRoomWasMade }));
