/** `legion down` and `legion restart`: end the daemon, with or without a successor; workers go on either way. */
import { LegionError } from '../../domain/fault.ts';
import { isLive, isWaiting } from '../../domain/lifecycle.ts';
import { type HealthView, saidAnswer, type WorkerView } from '../../protocol/operator.ts';
import { asking, type Desk } from '../asking.ts';
import { isAlive } from '../daemon-address.ts';
import { healthOf } from '../health-of.ts';
import { withProgress } from '../present/progress.ts';
import { waitFor } from '../wait-for.ts';
import { workersAnswer } from '../wire.ts';

/** It finishes what it is writing and no more; what takes longer hangs. */
const GONE_MS = 30_000;
/** The old one ends, the new one reads its journal and looks at its host. */
const BACK_MS = 60_000;
const LOOK_EVERY_MS = 50;

export const down = asking(
  { name: 'down', says: 'Ends the daemon. Workers go on, and the next daemon takes them over.' },
  async (_, desk) => {
    const { pid, legion } = desk.daemon.file;
    const workers = await atWork(desk);
    await desk.daemon.request('POST', '/shutdown', saidAnswer);
    const gone = await patiently(desk, `ending ${legion}`, GONE_MS, async () =>
      isAlive(pid) ? undefined : true,
    );
    if (gone === undefined) {
      throw new LegionError(
        'daemon.stopping',
        `${legion} (pid ${pid}) has not ended after ${GONE_MS / 1_000} s`,
      );
    }
    return {
      data: { legion, pid, workers },
      text: `${legion} has ended (pid ${pid}).\n${workersText(workers)}`,
    };
  },
);

export const restart = asking(
  { name: 'restart', says: 'Lets a new daemon take over, such as after an update. Workers go on.' },
  async (_, desk) => {
    const { pid, legion } = desk.daemon.file;
    const workers = await atWork(desk);
    const back = await requestRestart(desk, pid).catch((error: unknown) => {
      // The successor starts by itself, whether or not somebody waits for it.
      if (desk.context.signal.aborted) desk.context.stderr.write(interruptedRestart(legion));
      throw error;
    });
    if (back === undefined) {
      const says = `no successor of pid ${pid} answers after ${BACK_MS / 1_000} s`;
      throw new LegionError('daemon.start_failed', says);
    }
    return {
      data: { legion, pid: back.pid, version: back.version, before: pid, workers },
      text: `${legion} runs again (pid ${back.pid}, before ${pid}).\n${workersText(workers)}`,
    };
  },
);

async function requestRestart(desk: Desk, pid: number): Promise<HealthView | undefined> {
  await desk.daemon.request('POST', '/restart', saidAnswer);
  return patiently(desk, `restarting ${desk.daemon.file.legion}`, BACK_MS, async () => {
    const health = await healthOf(desk.place.state, desk.context.signal);
    return health !== undefined && health.pid !== pid ? health : undefined;
  });
}

function interruptedRestart(legion: string): string {
  return (
    `Interrupted. ${legion} restarts in the background.\n` +
    `See it with: legion status --legion ${legion}. Stop it with: legion down --legion ${legion}\n`
  );
}

async function atWork({ daemon }: Desk): Promise<readonly WorkerView[]> {
  const workers = await daemon.request('GET', '/workers', workersAnswer);
  return workers.filter((worker) => isLive(worker.status) || isWaiting(worker.status) || isLeaving(worker));
}

/** It was told to stop, and its process is still there. */
function isLeaving({ status, pid, exit }: WorkerView): boolean {
  return status === 'stopped' && pid !== undefined && exit === undefined;
}

function workersText(workers: readonly WorkerView[]): string {
  if (workers.length === 0) return 'No worker was at work.';
  const leaving = workers.filter(isLeaving);
  const staying = workers.filter((each) => !isLeaving(each));
  const named = (some: readonly WorkerView[]) => some.map(({ id }) => id).join(', ');
  return [
    ...(staying.length === 0 ? [] : [`Workers go on: ${named(staying)}.`]),
    ...(leaving.length === 0
      ? []
      : [`Still being stopped, which the next daemon finishes: ${named(leaving)}.`]),
  ].join('\n');
}

function patiently<T>(
  { context }: Desk,
  what: string,
  boundMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return withProgress(context, what, () =>
    waitFor(look, { everyMs: LOOK_EVERY_MS, boundMs, signal: context.signal }),
  );
}
