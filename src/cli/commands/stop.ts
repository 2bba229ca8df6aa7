/** `legion stop`: stops a worker and holds its issue, or stops every worker. */
import { LegionError } from '../../domain/fault.ts';
import { stopAnswer } from '../../protocol/stopping.ts';
import { route } from '../daemon-client.ts';
import { pickWorker } from '../pick-worker.ts';
import { safeText } from '../present/safe.ts';
import { type CommandSession, daemonCommand } from '../program/daemon-command.ts';
import { endDaemon } from './down.ts';
import { haltLegion } from './halt.ts';

export const stop = daemonCommand(
  {
    name: 'stop',
    says: [
      'Stops a worker and holds its issue until `legion resume ISSUE`. What it has committed and reported stays.',
      'Without ISSUE it is `legion down`: it ends the daemon.',
      'With --all, stops every worker and holds the legion until `legion resume`, also while no daemon runs.',
    ].join('\n'),
    takes: { issue: 'optional', mode: 'optional' },
    options: {
      restart: { says: 'do not hold the issue: the daemon starts the worker again' },
      all: { says: 'every worker of the legion; the same as `legion halt`' },
      why: { value: 'TEXT', says: 'with --all: the reason, for whoever asks later' },
    },
  },
  async ({ issue, mode, options }, session) => {
    const { all, restart, why } = options;
    if (all) {
      refuseWithAll(issue, restart);
      return haltLegion(session, why);
    }
    if (why !== undefined)
      throw new LegionError(
        'usage.invalid',
        '--why goes with --all; `legion pause ISSUE --why TEXT` holds one',
      );
    if (issue === undefined) {
      if (restart) throw new LegionError('usage.invalid', '--restart goes with one ISSUE');
      return endDaemon(session, undefined);
    }
    return stopOne(session, issue, mode, restart);
  },
);

async function stopOne(
  { daemon, by }: CommandSession,
  issue: string,
  mode: string | undefined,
  restart: boolean,
) {
  const worker = await pickWorker(daemon, issue, mode).catch(nameStopAll);
  const path = route`/workers/${worker}?by=${by}&restart=${String(restart)}`;
  const said = await daemon.request('DELETE', path, stopAnswer).catch(nameStopAll);
  return { data: { worker, ...said }, text: safeText(said.says) };
}

/** Only a daemon stops one worker; what works without a daemon is stopping all of them. */
function nameStopAll(error: unknown): never {
  if (!(error instanceof LegionError) || error.code !== 'daemon.not_running') throw error;
  const message = `${error.message}. Its workers may still run: \`legion stop --all\` stops them without a daemon`;
  throw new LegionError(error.code, message);
}

function refuseWithAll(issue: string | undefined, restart: boolean): void {
  if (issue !== undefined)
    throw new LegionError('usage.invalid', 'legion stop takes ISSUE or --all, not both');
  if (restart)
    throw new LegionError(
      'usage.invalid',
      '--restart goes with one ISSUE; after --all, `legion resume` starts workers again',
    );
}
