/** `legion stop`: stops a worker and holds its issue, or stops every worker. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { explainIfNotRunning } from '../../explain-not-running.ts';
import { parseIssueId } from '../../parse-names.ts';
import { pickWorker } from '../../pick-worker.ts';
import { safeText } from '../../present/safe.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP, MODE_HELP } from '../../program/options.ts';
import { endDaemon } from '../daemon/down.ts';
import { readRunningWorkers } from '../down/running-workers.ts';
import { haltLegion } from '../halt.ts';

export const stop = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop a worker and hold its issue until `legion resume ISSUE`. Its commits and reports stay. With --all, stop every worker and hold the legion until `legion resume`, even if no daemon runs. Without ISSUE, stop the daemon as `legion down` does, but only while no worker runs.',
      )
      .argument('[ISSUE]', ISSUE_HELP)
      .argument('[MODE]', MODE_HELP)
      .option('--restart', 'Do not hold the issue: the daemon starts the worker again')
      .option('--all', 'Stop every worker of the legion, as `legion halt` does')
      .option('--why <TEXT>', 'With --all: the reason, for the journal')
      .addHelpText(
        'after',
        examples('legion stop SHOP-1', 'legion stop SHOP-1 test --restart', 'legion stop --all'),
      ),
  async ({ positionals: [issue, mode], options }, session) => {
    const { all, restart = false, why } = options;
    if (all === true) {
      refuseWithAll(issue, restart);
      return haltLegion(session, why, 'legion stop --all');
    }
    if (why !== undefined)
      throw new LegionError(
        'usage.invalid',
        '--why goes with --all; `legion pause ISSUE --why TEXT` holds one issue',
      );
    if (issue === undefined) {
      if (restart) throw new LegionError('usage.invalid', '--restart needs an ISSUE');
      await refuseWhileWorkersRun(session);
      return endDaemon(session, 'leave');
    }
    return stopOne(session, issue, mode, restart);
  },
);

/** Whoever types this may mean the workers: the daemon would end and leave them running. */
async function refuseWhileWorkersRun(session: CommandSession): Promise<void> {
  const workers = await explainIfNotRunning(session, 'There is nothing to stop.', () =>
    readRunningWorkers(session.daemon),
  );
  if (workers.length === 0) return;
  const names = workers.map(({ view }) => view.id).join(', ');
  throw new LegionError(
    'usage.invalid',
    `workers are running (${names}). \`legion stop ISSUE\` stops one, \`legion stop --all\` or \`legion halt\` stops all of them, and \`legion down\` ends the daemon`,
  );
}

async function stopOne(
  { daemon, by }: CommandSession,
  issue: string,
  mode: string | undefined,
  restart: boolean,
) {
  const namePauseOrStopAll = (error: unknown) => nameStopAll(namePause(error, issue));
  const worker = await pickWorker(daemon, issue, mode).catch(namePauseOrStopAll);
  const said = await daemon
    .call(workerEndpoints.stop, {
      params: { id: worker },
      query: { by, restart: restart ? 'true' : 'false' },
    })
    .catch(namePauseOrStopAll);
  return { data: { worker, ...said }, text: safeText(said.says) };
}

/** Whoever stops an issue before its first worker wants that none starts. */
function namePause(error: unknown, issue: string): unknown {
  if (!(error instanceof LegionError) || error.code !== 'worker.unknown') return error;
  const next = `Run \`legion pause ${parseIssueId(issue)}\` so that no worker starts for it.`;
  return new LegionError(error.code, error.message, { next });
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
