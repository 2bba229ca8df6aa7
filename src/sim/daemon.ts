/** One life of a daemon in the simulated world: the production loop, ledger, speech and desks over ports that may fail. */
import { warningsAfter } from '../daemon/auto-merge-watch.ts';
import { BoardView } from '../daemon/board-view.ts';
import type { Speech } from '../daemon/daemon.ts';
import { openDesks } from '../daemon/desks/open-desks.ts';
import { openLedger } from '../daemon/ledger.ts';
import { type Loop, startLoop } from '../daemon/loop.ts';
import { loopControl } from '../daemon/loop-control.ts';
import type { Settings } from '../daemon/settings.ts';
import { openSpeech } from '../daemon/speech/speech.ts';
import { Troubles } from '../daemon/troubles.ts';
import { workerTokens } from '../daemon/worker-tokens.ts';
import type { World } from '../daemon/world.ts';
import type { IssueId } from '../domain/ids.ts';
import { DEFAULT_POLICY } from '../pipeline/policy.ts';
import type { Earth } from './earth.ts';
import type { PortName } from './faults.ts';
import { type Life, mortal } from './mortal.ts';
import { clockOf } from './time.ts';

export interface SimDaemon {
  readonly life: Life;
  readonly speech: Speech;
  readonly desks: ReturnType<typeof openDesks>;
}

const METHODS: Readonly<Record<PortName, { readonly reads: string[]; readonly writes: string[] }>> = {
  tracker: { reads: ['list', 'read', 'commentsSince'], writes: ['write', 'comment', 'create', 'close'] },
  forge: {
    reads: ['pullRequests', 'changesSince', 'failingCheck', 'remarks'],
    writes: ['push', 'open', 'edit', 'markReady', 'label', 'comment', 'review', 'merge'],
  },
  workspaces: { reads: ['find', 'standing', 'list'], writes: ['ensure', 'remove'] },
  host: { reads: ['observe', 'adopt', 'room'], writes: ['start', 'signal'] },
  journal: { reads: ['version', 'latestSnapshot'], writes: ['append', 'saveSnapshot'] },
};

/** Over the network, not to one's own disk. */
const DISTANT: readonly PortName[] = ['tracker', 'forge'];
const NEAR_MS = 1;
const FAR_MS = 400;
const LATE_MOST_MS = 300_000;

const SETTINGS: Settings = {
  ...{ autoAdvance: true, columns: {}, places: { workers: 10, perMode: {} }, staggerMs: 2_000 },
  ...{ checkWaitMs: 3_600_000, health: {} },
  policy: {
    ...DEFAULT_POLICY,
    approvals: { architect: 'auto', merge: 'auto' },
    autoMergeAllowed: true,
  },
  polling: {
    normalMs: 30_000,
    holding: [
      { unchanged: 20, ms: 900_000 },
      { unchanged: 5, ms: 300_000 },
    ],
  },
  room: { diskBytes: 1e6, memoryBytes: 1e6 },
};

export async function startDaemon(earth: Earth, life: Life): Promise<SimDaemon> {
  const { time, random, faults } = earth;
  const clock = clockOf(time, () => life.isAlive);
  const through = <T extends object>(target: T, port: PortName): T =>
    mortal(target, {
      ...{ life, faults, port, ...METHODS[port] },
      travel: () =>
        DISTANT.includes(port) ? time.sleep(random.between(NEAR_MS, FAR_MS)) : Promise.resolve(),
    });
  const ledger = await openLedger(through(earth.journal, 'journal'), clock, 'sim', () => undefined);
  const board = through(earth.board, 'tracker');
  let loop: Loop | undefined;
  const world: World = {
    ...{ legionId: 'sim', clock, ledger, tracker: board, board, settings: () => SETTINGS },
    repository: {
      ...{ name: 'sim', path: '/sim/repository', base: 'main', forge: through(earth.forge, 'forge') },
      commands: async () => ({ repo: 'sim', fingerprint: '', approved: true, commands: {} }),
      approve: async () => undefined,
      run: async () => ({ verdict: 'could_not_run', why: 'there is none', tail: '' }),
      instructions: async () => undefined,
    },
    workspaces: through(earth.workspaces, 'workspaces'),
    host: through(earth.host, 'host'),
    agentFor: () => ({ agent: earth.agent }),
    environmentFor: () => ({}),
    view: new BoardView(),
    troubles: new Troubles(clock, (trouble) => earth.rules.troubled(trouble)),
    tokens: workerTokens('sim'),
    folders: { state: '/sim/state', outbox: (worker, attempt) => `/sim/outbox/${worker}/${attempt}` },
    wake: (issue) => loop?.wake(issue),
  };
  const speech = openSpeech(world);
  const running = startLoop(world, () => earth.outboxes.takeIn(speech));
  loop = running;
  const hinted = wakeUps(earth, (issue) => life.isAlive && running.wake(issue));
  board.subscribe(hinted);
  world.repository.forge.subscribe(hinted);
  ledger.subscribe((events) => {
    for (const warning of warningsAfter(ledger.swarm, events)) void running.order(warning);
  });
  const info = { version: 'sim', pid: 1, startedAt: clock.now() };
  return { life, speech, desks: openDesks(world, loopControl(world, running), info) };
}

/** A wake-up is only a hint: it may get lost, come twice, or come when others have overtaken it. */
function wakeUps({ faults, random, time }: Earth, wake: (issue: IssueId) => void): (issue: IssueId) => void {
  return (issue) => {
    const { lost, doubled, late } = faults.rates;
    if (random.chance(lost)) return;
    const times = random.chance(doubled) ? 2 : 1;
    for (let count = 0; count < times; count += 1) {
      time.after(random.chance(late) ? random.between(0, LATE_MOST_MS) : 0, () => wake(issue));
    }
  };
}
