/**
 * Starts a baseline run as a daemon would, and prints the pid of its command. The test kills this
 * process while the command is running, which orphans the command.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBaseline } from '../../../src/daemon/composition/run-baseline.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { git } from '../../ports/forge/git.ts';

const [, , repository = '', state = ''] = process.argv;
const { PATH, HOME } = process.env;
const baseline = await openBaseline({
  source: { common: join(repository, '.git') },
  state,
  environment: { PATH, HOME },
  clock: systemClock,
  onChange: () => undefined,
});
const pidFile = join(state, 'left');
const sha = await git(repository, 'rev-parse', 'HEAD');
baseline.reconcile({
  fingerprint: 'a',
  sha,
  commands: [['sh', '-c', `echo $$ > ${pidFile}; exec sleep 600`]],
});
while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(20);
process.stdout.write(readFileSync(pidFile, 'utf8'), () => process.kill(process.pid, 'SIGKILL'));
