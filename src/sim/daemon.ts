/** One life of a daemon in the simulated world: the production loop, ledger, speech and desks over ports that may fail. */

import type { IssueId } from '../core/model/ids.ts';
import { DEFAULT_POLICY, type Policy } from '../core/pipeline/policy.ts';
import { BoardView } from '../daemon/board-view.ts';
import { MergesUnderWay } from '../daemon/context/active-merges.ts';
import { type Ledger, openLedger } from '../daemon/context/journal-ledger.ts';
import { workerTokens } from '../daemon/context/worker-tokens.ts';
import type { Speech } from '../daemon/daemon.ts';
import { openDesks } from '../daemon/desks/open-desks.ts';
import { leaderOnly } from '../daemon/leader-only.ts';
import { type Loop, startLoop } from '../daemon/loop.ts';
import { loopControl } from '../daemon/loop-control.ts';
import { warningsAfter } from '../daemon/merging/auto-merge-warnings.ts';
import { openQualityGates } from '../daemon/merging/quality-gates.ts';
import { ALWAYS_FIT } from '../daemon/preflight/always-fit.ts';
import type { Repositories, Repository } from '../daemon/repository.ts';
import type { Settings } from '../daemon/settings.ts';
import { openSpeech } from '../daemon/speech/speech.ts';
import { Troubles } from '../daemon/troubles.ts';
import type { World } from '../daemon/world.ts';
import { DEFAULT_BUDGETS } from '../health/budget.ts';
import type { Journal } from '../journal/journal.ts';
import type { PortName } from './faults.ts';
import type { Life } from './life.ts';
import { heardBy, mortal } from './mortal.ts';
import { clockOf } from './time.ts';
import type { Earth } from './world.ts';

export interface SimDaemon {
  readonly life: Life;
  readonly speech: Speech;
  readonly desks: ReturnType<typeof openDesks>;
}

interface Methods {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}
type Through = <T extends object>(target: T, port: PortName, methods?: Methods) => T;

const METHODS: Readonly<Record<PortName, Methods>> = {
  tracker: { reads: ['list', 'read', 'commentsSince'], writes: ['write', 'comment', 'create', 'close'] },
  forge: {
    reads: ['pullRequests', 'changesSince', 'checks', 'checkLog', 'failingCheck', 'remarks'],
    writes: ['push', 'open', 'edit', 'markReady', 'label', 'comment', 'review', 'merge'],
  },
  workspaces: {
    reads: ['find', 'standing', 'changedAt', 'list'],
    writes: ['ensure', 'bringToBase', 'remove'],
  },
  host: { reads: ['observe', 'adopt', 'room'], writes: ['start', 'signal'] },
  journal: { reads: ['version', 'latestSnapshot'], writes: ['append', 'saveSnapshot'] },
};

/** Over the network, not to one's own disk. */
const DISTANT: readonly PortName[] = ['tracker', 'forge'];
/** Where only the leader may do anything. A workspace may be made by anybody: that takes nothing away. */
const OUTSIDE: readonly PortName[] = ['tracker', 'forge', 'host'];
const NEAR_MS = 1;
const FAR_MS = 400;
const LATE_MOST_MS = 300_000;
/** A daemon that ends lets its passes come to their end. */
const CLOSING_MS = 10_000;

const POLICY: Policy = {
  ...DEFAULT_POLICY,
  approvals: { architect: 'auto', merge: 'auto' },
  autoMergeAllowed: true,
};

const SETTINGS: Settings = {
  ...{ autoAdvance: true, columns: {}, places: { workers: 10, perMode: {} }, staggerMs: 2_000 },
  ...{ checkWaitMs: 3_600_000, budgets: DEFAULT_BUDGETS },
  // Short, because whoever is being stopped is looked at ten times a second; what follows from it is the same.
  health: { termToKill: 2_000, stopUnchecked: 60_000 },
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
  const { time, random, faults, rules } = earth;
  const clock = clockOf(time, life);
  let epoch: number | undefined;
  const through = <T extends object>(target: T, port: PortName, methods: Methods = METHODS[port]): T =>
    mortal(target, {
      ...{ life, faults, port, ...methods },
      ...(DISTANT.includes(port) && { travel: () => time.sleep(random.between(NEAR_MS, FAR_MS)) }),
      sent(method) {
        if (OUTSIDE.includes(port) && method !== 'signal') rules.journal.acted(epoch, `${port}.${method}`);
      },
    });
  const ledger = await openLedger(journalOf(earth, through), clock, 'sim', {
    onSnapshotFailure: () => undefined,
  });
  epoch = ledger.epoch;
  endWhenFenced(earth, life, ledger);
  const guarded = leaderOnly(ledger);
  const board = guarded.board(through(earth.board, 'tracker'));
  const forge = guarded.forge(through(earth.forge, 'forge'));
  const host = guarded.host(through(earth.host, 'host'));
  const workspaces = guarded.workspaces(through(earth.workspaces, 'workspaces'));
  let loop: Loop | undefined;
  const repository: Repository = {
    ...{ name: 'sim', path: '/sim/repository', base: 'main', baseRef: 'main', forge },
    commands: async () => ({ repo: 'sim', fingerprint: '', approved: true, commands: {}, prompts: {} }),
    approve: async () => undefined,
    run: async () => ({ verdict: 'could_not_run', why: 'there is none', tail: '' }),
    renew: async () => undefined,
    differences: async () => undefined,
    prompts: async () => new Map(),
    promptCommands: async () => ({ approved: true, commands: {} }),
    instructions: async () => undefined,
  };
  const repositories: Repositories = {
    all: [repository],
    find: () => repository,
    of: () => repository,
    settle: () => repository,
  };
  const world: World = {
    gates: openQualityGates({ clock, ledger, workspaces, host, repositories }),
    ...{ legionId: 'sim', clock, ledger, tracker: board, board, settings: () => SETTINGS },
    repositories,
    policyOf: () => POLICY,
    preflight: ALWAYS_FIT,
    ...{ workspaces, host },
    agents: { choicesFor: () => [{ agent: 'sim' }], readinessOf: () => 'ready' },
    noteRefusedLogin: () => undefined,
    agentOf: () => ({ agent: earth.agent, use: {} }),
    environmentFor: async () => ({}),
    view: new BoardView(),
    troubles: new Troubles(clock, (trouble) => rules.troubled(trouble)),
    merges: new MergesUnderWay(),
    tokens: workerTokens('sim'),
    folders: {
      state: '/sim/state',
      socket: '/sim/state/daemon.sock',
      outbox: (worker, attempt) => `/sim/outbox/${worker}/${attempt}`,
    },
    wordsLeft: async (worker, attempt) => earth.outboxes.holdsWordsOf(worker, attempt),
    reportLeft: async (worker, attempt) => earth.outboxes.reportLeft(worker, attempt),
    wake: (issue) => loop?.wake(issue),
  };
  const speech = openSpeech(world);
  const running = startLoop(world, () => earth.outboxes.takeIn(speech));
  loop = running;
  const hinted = wakeUps(earth, heardBy(running.wake, life));
  board.subscribe(hinted);
  forge.subscribe(hinted);
  ledger.subscribe((events) => {
    rules.board.believed(world.view, earth);
    for (const warning of warningsAfter(ledger.swarm, events)) void running.order(warning);
  });
  const info = { version: 'sim', pid: 1, startedAt: clock.now() };
  return { life, speech, desks: openDesks(world, loopControl(world, running), info) };
}

/** To ask whether one still leads is an append of nothing: it reads and writes nothing. */
function journalOf({ journal }: Earth, through: Through): Journal {
  const writing = through(journal, 'journal');
  const reading = through(journal, 'journal', { reads: ['append'], writes: [] });
  return {
    ...writing,
    append: (events, ...rest) => (events.length === 0 ? reading : writing).append(events, ...rest),
  };
}

/** As the real one does, once everything is put away. */
function endWhenFenced({ time, rules }: Earth, life: Life, { fenced }: Ledger): void {
  const end = () => {
    rules.struck('a daemon is fenced');
    time.after(CLOSING_MS, () => life.die());
  };
  fenced.addEventListener('abort', end, { once: true });
}

/** A wake-up is only a hint: it may get lost, come twice, or come when others have overtaken it. */
function wakeUps({ faults, random, time }: Earth, wake: (issue: IssueId) => void): (issue: IssueId) => void {
  return (issue) => {
    if (faults.comes('lost', 'wake-up lost')) return;
    const times = faults.comes('doubled', 'wake-up doubled') ? 2 : 1;
    for (let count = 0; count < times; count += 1) {
      const isLate = faults.comes('late', 'wake-up late');
      time.after(isLate ? random.between(0, LATE_MOST_MS) : 0, () => wake(issue));
    }
  };
}
