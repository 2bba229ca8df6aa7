/** `legion stop`: stops a worker and holds its issue, or stops every worker. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import { explainIfNotRunning } from '../../explain-not-running.ts';
import { parseIssueId } from '../../parse-names.ts';
import { pickWorker } from '../../pick-worker.ts';
import { sanitizeText } from '../../present/terminal.ts';
import { type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, MODE_HELP, renderExamples } from '../../program/define-command.ts';
import { endDaemon, readRunningWorkers } from '../daemon/down.ts';
import { haltLegion } from '../daemon/halt.ts';

export const stop = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop a worker and hold its issue until `legion resume ISSUE`. Its commits and reports are kept. With --all, stop every worker and hold the legion until `legion resume`; this also works without a running daemon. Without ISSUE, stop the daemon as `legion down` does, but only if no workers are running.',
      )
      .argument('[ISSUE]', ISSUE_HELP)
      .argument('[MODE]', MODE_HELP)
      .option('--restart', 'Do not hold the issue, so that the daemon starts the worker again')
      .option('--all', 'Stop every worker of the legion, as `legion halt` does')
      .option('--why <TEXT>', 'With --all: reason to record in the journal')
      .addHelpText(
        'after',
        renderExamples('legion stop SHOP-1', 'legion stop SHOP-1 test --restart', 'legion stop --all'),
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
        '--why requires --all. To hold one issue, run `legion pause ISSUE --why TEXT`.',
      );
    if (issue === undefined) {
      if (restart) throw new LegionError('usage.invalid', '--restart needs an ISSUE.');
      await refuseWhileWorkersRun(session);
      return endDaemon(session, 'leave');
    }
    return stopIssueWorker(session, issue, mode, restart);
  },
);

/**
 * Refuses to stop only the daemon while workers are running. The workers would keep running, and
 * the person may have meant to stop them too.
 */
async function refuseWhileWorkersRun(session: CommandSession): Promise<void> {
  const workers = await explainIfNotRunning(session, 'There is nothing to stop.', () =>
    readRunningWorkers(session.daemon),
  );
  if (workers.length === 0) return;
  const names = workers.map(({ view }) => view.id).join(', ');
  throw new LegionError(
    'usage.invalid',
    `Workers are running: ${names}. Run \`legion stop ISSUE\` to stop one, \`legion stop --all\` or \`legion halt\` to stop all, or \`legion down\` to stop the daemon.`,
  );
}

async function stopIssueWorker(
  { daemon, by }: CommandSession,
  issue: string,
  mode: string | undefined,
  restart: boolean,
) {
  const namePauseOrStopAll = (error: unknown) => throwWithStopAllHint(withPauseHint(error, issue));
  const worker = await pickWorker(daemon, issue, mode).catch(namePauseOrStopAll);
  const answer = await daemon
    .call(workerEndpoints.stop, {
      params: { id: worker },
      query: { by, restart: restart ? 'true' : 'false' },
    })
    .catch(namePauseOrStopAll);
  return { data: { worker, ...answer }, text: sanitizeText(answer.says) };
}

/**
 * If the issue has no workers, suggests `pause`, because the person probably wants no worker to
 * start.
 */
function withPauseHint(error: unknown, issue: string): unknown {
  if (!(error instanceof LegionError) || error.code !== 'worker.unknown') return error;
  const next = `Run \`legion pause ${parseIssueId(issue)}\` so that no worker starts for it.`;
  return new LegionError(error.code, error.message, { next });
}

/**
 * If no daemon is running, suggests `legion stop --all`, because only a daemon can stop a single
 * worker.
 */
function throwWithStopAllHint(error: unknown): never {
  if (!(error instanceof LegionError) || error.code !== 'daemon.not_running') throw error;
  const message = `${error.message}\nIts workers may still be running. Run \`legion stop --all\` to stop them without a daemon.`;
  throw new LegionError(error.code, message);
}

function refuseWithAll(issue: string | undefined, restart: boolean): void {
  if (issue !== undefined) throw new LegionError('usage.invalid', 'ISSUE and --all cannot be combined.');
  if (restart)
    throw new LegionError(
      'usage.invalid',
      '--restart requires an ISSUE. After --all, run `legion resume` to start workers again.',
    );
}
