/** `legion down` and `legion restart`: stop the daemon, or replace it. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { describePendingStop, isLive, isWaiting } from '../../../core/model/lifecycle.ts';
import { isFinished } from '../../../core/model/status.ts';
import { isRunning } from '../../../lib/process/proc-table.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { stateEndpoints } from '../../../protocol/endpoints/monitoring.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import type { HealthView } from '../../../protocol/status.ts';
import type { WorkerView } from '../../../protocol/workers.ts';
import { askChoice, isInteractive } from '../../ask-person.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { explainIfNotRunning, findDaemonHealth } from '../../explain-not-running.ts';
import { withProgress } from '../../present/terminal.ts';
import { formatTimeAgo } from '../../present/words.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { renderExamples } from '../../program/define-command.ts';
import { waitFor } from '../../wait-for.ts';

/**
 * Before it exits, the daemon only finishes its current write. A daemon that takes longer than this
 * is considered hung.
 */
const MAX_END_MS = 30_000;
/** Additional time to finish a merge in progress and to run the stop sequence of every worker. */
const MAX_WORKER_STOP_MS = 90_000;
const END_POLL_MS = 50;

export const down = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop the daemon. At a terminal, you are asked what to do with running workers. Otherwise they keep running, and the next daemon takes them over. Stopped workers continue their sessions after the next `legion up`.',
      )
      .option('--leave', 'Keep workers running, without asking')
      .option('--stop', 'Stop all workers first, without asking')
      .addHelpText('after', renderExamples('legion down', 'legion down --stop')),
  async ({ options: { leave, stop } }, session) => {
    if (leave === true && stop === true)
      throw new LegionError('usage.invalid', '--leave and --stop cannot be combined.');
    return endDaemon(session, leave === true ? 'leave' : stop === true ? 'stop' : undefined);
  },
);

type WorkersChoice = 'leave' | 'stop';

export async function endDaemon(
  session: CommandSession,
  requested: WorkersChoice | undefined,
): Promise<CommandResult> {
  const { daemon, by } = session;
  const workers = await explainIfNotRunning(session, 'There is nothing to stop.', () =>
    readRunningWorkers(daemon),
  );
  const { pid, legion } = daemon.file;
  const choice = requested ?? (await askAboutWorkers(session, workers));
  const finished = choice === 'stop' ? await readFinishedIssues(daemon) : new Set<string>();
  await daemon.call(adminEndpoints.shutdown, { query: { workers: choice, by } });
  const boundMs = choice === 'stop' ? MAX_END_MS + MAX_WORKER_STOP_MS : MAX_END_MS;
  const hasExited = await waitWithProgress(session, `stopping ${legion}`, boundMs, async () =>
    isRunning(pid) ? undefined : true,
  );
  if (hasExited === undefined) {
    throw new LegionError(
      'daemon.stopping',
      `${legion} (pid ${pid}) did not exit within ${boundMs / 1_000} s.`,
    );
  }
  return {
    data: { legion, pid, workers: workers.map(({ view }) => view), stopped: choice === 'stop' },
    text: [`${legion} has stopped (pid ${pid}).`, ...describeWorkers(workers, choice, finished)].join('\n'),
  };
}

/** Asks whether to stop the workers too. Without a terminal to ask at, the workers keep running. */
async function askAboutWorkers(
  { context, json }: CommandSession,
  workers: readonly RunningWorker[],
): Promise<WorkersChoice> {
  if (workers.length === 0 || json || !isInteractive(context)) return 'leave';
  context.stdout.write(`${renderRunningWorkers(workers, Date.now()).join('\n')}\n`);
  return askChoice<WorkersChoice>(
    context,
    `What should happen to ${workers.length === 1 ? 'this worker' : 'these workers'}?`,
    [
      { value: 'leave', label: 'Keep running', hint: 'the next daemon takes them over' },
      { value: 'stop', label: 'Stop', hint: 'their sessions continue after the next `legion up`' },
    ],
    'leave',
    'Nothing was stopped. The daemon is still running.',
  );
}

/**
 * Returns the ids of finished issues, for which no more workers will start. Returns an empty set if
 * the daemon cannot answer.
 */
async function readFinishedIssues(daemon: DaemonClient): Promise<ReadonlySet<string>> {
  try {
    const { issues } = await daemon.call(stateEndpoints.collect, { body: { lastSeen: true } });
    return new Set(Object.values(issues).flatMap(({ id, status }) => (isFinished(status) ? [id] : [])));
  } catch (error) {
    if (error instanceof LegionError) return new Set();
    throw error;
  }
}

function describeWorkers(
  workers: readonly RunningWorker[],
  choice: WorkersChoice,
  finished: ReadonlySet<string>,
): string[] {
  if (workers.length === 0) return ['No workers were running.'];
  if (choice === 'stop') return describeStopped(workers, finished);
  return [
    'Still running:',
    ...renderRunningWorkers(workers, Date.now()),
    'The next daemon takes them over. Run `legion stop --all` to stop them now.',
  ];
}

function describeStopped(workers: readonly RunningWorker[], finished: ReadonlySet<string>): string[] {
  const isOver = ({ view }: RunningWorker) => finished.has(view.issue);
  const formatIds = (some: readonly RunningWorker[]) => some.map(({ view }) => view.id).join(', ');
  const resumed = workers.filter((worker) => !isOver(worker));
  const finishedWorkers = workers.filter(isOver);
  const sessions = resumed.length === 1 ? 'Its session continues' : 'Their sessions continue';
  return [
    ...(resumed.length === 0
      ? []
      : [`Stopped: ${formatIds(resumed)}. ${sessions} after the next \`legion up\`.`]),
    ...(finishedWorkers.length === 0
      ? []
      : [`Stopped for good, because the issue is finished: ${formatIds(finishedWorkers)}.`]),
  ];
}

/**
 * Covers the exit of the old daemon and the start of the new one, which replays the journal and
 * inspects its host.
 */
const MAX_RESTART_MS = 60_000;

export const restart = daemonCommand(
  () =>
    new Command().description(
      'Replace the daemon with a new one, for example after an update. Workers keep running, and the new daemon takes them over.',
    ),
  async (_, session) => {
    // Refuses an invalid file: the new daemon would not start with it, and the workers would be
    // left without a daemon.
    if (session.location.invalid !== undefined) throw session.location.invalid;
    const { pid, legion } = session.daemon.file;
    const workers = await readRunningWorkers(session.daemon);
    const health = await sendRestart(session, pid).catch((error: unknown) => {
      // The new daemon starts by itself, even if this command has stopped waiting for it.
      if (session.context.signal.aborted) session.context.stderr.write(describeInterruptedRestart(legion));
      throw error;
    });
    if (health === undefined) {
      const message = `The daemon (pid ${pid}) was stopped, but no new daemon responded within ${MAX_RESTART_MS / 1_000} s.`;
      throw new LegionError('daemon.start_failed', message);
    }
    const takeover =
      workers.length === 0
        ? ['No workers were running.']
        : [
            'The new daemon has taken over the running workers:',
            ...renderRunningWorkers(workers, Date.now()),
          ];
    return {
      data: {
        legion,
        pid: health.pid,
        version: health.version,
        before: pid,
        workers: workers.map(({ view }) => view),
      },
      text: [`${legion} has restarted (pid ${health.pid}, previously ${pid}).`, ...takeover].join('\n'),
    };
  },
);

async function sendRestart(session: CommandSession, pid: number): Promise<HealthView | undefined> {
  await session.daemon.call(adminEndpoints.restart);
  return waitWithProgress(session, `restarting ${session.daemon.file.legion}`, MAX_RESTART_MS, async () => {
    const health = await findDaemonHealth(session.location.state, session.context.signal);
    return health !== undefined && health.pid !== pid ? health : undefined;
  });
}

function describeInterruptedRestart(legion: string): string {
  return (
    `Interrupted. ${legion} is restarting in the background.\n` +
    `Run \`legion status --legion ${legion}\` to check on it, or \`legion down --legion ${legion}\` to stop it.\n`
  );
}

function waitWithProgress<T>(
  { context }: CommandSession,
  label: string,
  boundMs: number,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return withProgress(context, label, () =>
    waitFor(check, { everyMs: END_POLL_MS, boundMs, signal: context.signal }),
  );
}

export interface RunningWorker {
  readonly view: WorkerView;
}

/** Lists the workers that would outlive the daemon. */
export async function readRunningWorkers(daemon: DaemonClient): Promise<readonly RunningWorker[]> {
  const workers = await daemon.call(workerEndpoints.list);
  return workers.filter((view) => view.stopping !== undefined || isActive(view)).map((view) => ({ view }));
}

/**
 * Checks the process as well as the status. An exited worker keeps its status until Legion has
 * judged its exit, and a worker whose status is waiting may already have exited.
 */
function isActive({ status, pid, exit }: WorkerView): boolean {
  if (exit !== undefined) return false;
  return isLive(status) || (isWaiting(status) && pid !== undefined);
}

export function renderRunningWorkers(workers: readonly RunningWorker[], now: number): string[] {
  return workers.map(({ view }) => {
    const { id, pid, startedAt, stopping } = view;
    const process = pid === undefined ? 'starting' : `pid ${pid}`;
    const pendingStop = stopping === undefined ? '' : `, ${describePendingStop(stopping, now)}`;
    return `  ${id} (${process}, started ${formatTimeAgo(startedAt, now)})${pendingStop}`;
  });
}
