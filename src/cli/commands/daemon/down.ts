/** `legion down` and `legion restart`: end the daemon, with or without a successor. */
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../../core/model/fault.ts';
import { isFinished } from '../../../core/model/status.ts';
import { isRunning } from '../../../lib/process/proc-table.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { stateEndpoints } from '../../../protocol/endpoints/state.ts';
import type { HealthView } from '../../../protocol/operator.ts';
import { chosen, isInteractive } from '../../ask-person.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { explainIfNotRunning } from '../../explain-not-running.ts';
import { healthOf } from '../../health-of.ts';
import { withProgress } from '../../present/progress.ts';
import { type CommandResult, type CommandSession, daemonCommand } from '../../program/daemon-command.ts';
import { examples } from '../../program/options.ts';
import { waitFor } from '../../wait-for.ts';
import { listWorkers, type RunningWorker, readRunningWorkers } from '../down/running-workers.ts';

/** It finishes what it is writing and no more; what takes longer hangs. */
const GONE_MS = 30_000;
/** Beside that a merge that has begun, and the stop ladder of every worker. */
const STOPPED_MS = 90_000;
/** The old one ends, the new one reads its journal and looks at its host. */
const BACK_MS = 60_000;
const LOOK_EVERY_MS = 50;

export const down = daemonCommand(
  () =>
    new Command()
      .description(
        'Stop the daemon. At a terminal it asks what to do with running workers; otherwise they keep running, and the next daemon takes them over. Stopped workers continue their sessions after the next `legion up`.',
      )
      .option('--leave', 'Leave running workers alone, without asking')
      .option('--stop', 'Stop running workers first, without asking')
      .addHelpText('after', examples('legion down', 'legion down --stop')),
  async ({ options: { leave, stop } }, session) => {
    if (leave === true && stop === true)
      throw new LegionError('usage.invalid', 'legion down takes --leave or --stop, not both');
    return endDaemon(session, leave === true ? 'leave' : stop === true ? 'stop' : undefined);
  },
);

type WorkersChoice = 'leave' | 'stop';

export async function endDaemon(
  session: CommandSession,
  given: WorkersChoice | undefined,
): Promise<CommandResult> {
  const { daemon, by } = session;
  const workers = await explainIfNotRunning(session, 'There is nothing to stop.', () =>
    readRunningWorkers(daemon),
  );
  const { pid, legion } = daemon.file;
  const choice = given ?? (await askAboutWorkers(session, workers));
  const finished = choice === 'stop' ? await readFinishedIssues(daemon) : new Set<string>();
  await daemon.call(adminEndpoints.shutdown, { query: { workers: choice, by } });
  const boundMs = choice === 'stop' ? GONE_MS + STOPPED_MS : GONE_MS;
  const gone = await waitPatiently(session, `ending ${legion}`, boundMs, async () =>
    isRunning(pid) ? undefined : true,
  );
  if (gone === undefined) {
    throw new LegionError(
      'daemon.stopping',
      `${legion} (pid ${pid}) has not ended after ${boundMs / 1_000} s`,
    );
  }
  return {
    data: { legion, pid, workers: workers.map(({ view }) => view), stopped: choice === 'stop' },
    text: [`${legion} has ended (pid ${pid}).`, ...describeWorkers(workers, choice, finished)].join('\n'),
  };
}

/** Without a terminal nobody can be asked, and workers keep running. */
async function askAboutWorkers(
  { context, json }: CommandSession,
  workers: readonly RunningWorker[],
): Promise<WorkersChoice> {
  if (workers.length === 0 || json || !isInteractive(context)) return 'leave';
  context.stdout.write(`${listWorkers(workers, Date.now()).join('\n')}\n`);
  return chosen<WorkersChoice>(
    context,
    `What should happen to ${workers.length === 1 ? 'this worker' : 'these workers'}?`,
    [
      { value: 'leave', label: 'Leave running', hint: 'the next daemon takes over' },
      { value: 'stop', label: 'Stop', hint: 'the session continues after the next legion up' },
    ],
    'leave',
    'nothing was stopped; the daemon still runs',
  );
}

/** An issue that is over starts no worker again; without an answer nothing is claimed about it. */
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
  if (workers.length === 0) return ['No worker was running.'];
  if (choice === 'stop') return describeStopped(workers, finished);
  return [
    'Still running:',
    ...listWorkers(workers, Date.now()),
    'The next daemon takes them over; `legion stop --all` stops them now.',
  ];
}

function describeStopped(workers: readonly RunningWorker[], finished: ReadonlySet<string>): string[] {
  const isOver = ({ view }: RunningWorker) => finished.has(view.issue);
  const names = (some: readonly RunningWorker[]) => some.map(({ view }) => view.id).join(', ');
  const resumed = workers.filter((worker) => !isOver(worker));
  const over = workers.filter(isOver);
  const sessions = resumed.length === 1 ? 'Its session continues' : 'Their sessions continue';
  return [
    ...(resumed.length === 0
      ? []
      : [`Stopped: ${names(resumed)}. ${sessions} after the next \`legion up\`.`]),
    ...(over.length === 0 ? [] : [`Stopped for good, because the issue is finished: ${names(over)}.`]),
  ];
}

export const restart = daemonCommand(
  () =>
    new Command().description(
      'Replace the daemon with a new one, for example after an update. Workers keep running, and the new daemon takes them over.',
    ),
  async (_, session) => {
    // The successor would not start with this file, and nobody would lead the workers.
    if (session.place.invalid !== undefined) throw session.place.invalid;
    const { pid, legion } = session.daemon.file;
    const workers = await readRunningWorkers(session.daemon);
    const back = await requestRestart(session, pid).catch((error: unknown) => {
      // The successor starts by itself, whether or not somebody waits for it.
      if (session.context.signal.aborted) session.context.stderr.write(interruptedRestart(legion));
      throw error;
    });
    if (back === undefined) {
      const says = `no successor of pid ${pid} answers after ${BACK_MS / 1_000} s`;
      throw new LegionError('daemon.start_failed', says);
    }
    const taken =
      workers.length === 0
        ? ['No worker was running.']
        : ['The new daemon has taken over the running workers:', ...listWorkers(workers, Date.now())];
    return {
      data: {
        legion,
        pid: back.pid,
        version: back.version,
        before: pid,
        workers: workers.map(({ view }) => view),
      },
      text: [`${legion} runs again (pid ${back.pid}, before ${pid}).`, ...taken].join('\n'),
    };
  },
);

async function requestRestart(session: CommandSession, pid: number): Promise<HealthView | undefined> {
  await session.daemon.call(adminEndpoints.restart);
  return waitPatiently(session, `restarting ${session.daemon.file.legion}`, BACK_MS, async () => {
    const health = await healthOf(session.place.state, session.context.signal);
    return health !== undefined && health.pid !== pid ? health : undefined;
  });
}

function interruptedRestart(legion: string): string {
  return (
    `Interrupted. ${legion} restarts in the background.\n` +
    `See it with: legion status --legion ${legion}. Stop it with: legion down --legion ${legion}\n`
  );
}

function waitPatiently<T>(
  { context }: CommandSession,
  what: string,
  boundMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return withProgress(context, what, () =>
    waitFor(look, { everyMs: LOOK_EVERY_MS, boundMs, signal: context.signal }),
  );
}
