/**
 * Runs one simulated daemon: the production loop, ledger, worker API and services over ports that
 * may fail.
 */

import { DEFAULT_BUDGETS } from '../core/health/budget.ts';
import type { IssueId } from '../core/model/ids.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../core/pipeline/policy.ts';
import { FencedForge } from '../daemon/composition/fenced-ports/fenced-forge.ts';
import { FencedHost } from '../daemon/composition/fenced-ports/fenced-host.ts';
import { FencedBoardEditor } from '../daemon/composition/fenced-ports/fenced-tracker.ts';
import { FencedWorkspaces } from '../daemon/composition/fenced-ports/fenced-workspaces.ts';
import { ActiveMerges } from '../daemon/context/active-merges.ts';
import { ActiveProblems } from '../daemon/context/active-problems.ts';
import { BoardView } from '../daemon/context/board-view.ts';
import type { DaemonContext, DaemonSettings, Preflight } from '../daemon/context/daemon-context.ts';
import { openLedger } from '../daemon/context/journal-ledger.ts';
import type { Ledger } from '../daemon/context/ledger.ts';
import type { Repositories, Repository } from '../daemon/context/repository.ts';
import { createWorkerTokens } from '../daemon/context/worker-tokens.ts';
import type { WorkerApi } from '../daemon/daemon.ts';
import { type ReconcileLoop, startLoop } from '../daemon/loop/loop.ts';
import { createLoopControl } from '../daemon/loop/loop-control.ts';
import { findAutoMergeWarnings } from '../daemon/merging/auto-merge-warnings.ts';
import { openQualityGates } from '../daemon/merging/quality-gates.ts';
import { openServices } from '../daemon/services/open-services.ts';
import { createWorkerApi } from '../daemon/worker-api/worker-api.ts';
import type { Journal } from '../ports/journal.ts';
import type { PortName } from './faults.ts';
import { createSimClock } from './time.ts';
import { type DaemonProcess, wrapListener, wrapUnreliablePort } from './unreliable-ports.ts';
import type { SimWorld } from './world.ts';

export interface SimDaemon {
  readonly process: DaemonProcess;
  readonly workerApi: WorkerApi;
  readonly services: ReturnType<typeof openServices>;
}

interface PortMethods {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}
type WrapPort = <T extends object>(target: T, port: PortName, methods?: PortMethods) => T;

const PORT_METHODS: Readonly<Record<PortName, PortMethods>> = {
  tracker: {
    reads: ['list', 'read', 'commentsSince'],
    writes: ['write', 'comment', 'putComment', 'create', 'close'],
  },
  forge: {
    reads: ['pullRequests', 'changesSince', 'changedFiles', 'checks', 'checkLog', 'failingCheck', 'remarks'],
    writes: ['push', 'open', 'edit', 'markReady', 'label', 'comment', 'putComment', 'review', 'merge'],
  },
  workspaces: {
    reads: ['find', 'readStatus', 'changedAt', 'list'],
    writes: ['ensure', 'bringToBase', 'remove'],
  },
  host: { reads: ['observe', 'adopt', 'readCapacity'], writes: ['start', 'signal'] },
  journal: { reads: ['version', 'latestSnapshot'], writes: ['append', 'saveSnapshot'] },
};

/** Ports behind a network, not on the local disk. */
const REMOTE_PORTS: readonly PortName[] = ['tracker', 'forge'];
/**
 * Ports that only the leader may write to. Creating a workspace is harmless, so any daemon may do
 * it.
 */
const FENCED_PORTS: readonly PortName[] = ['tracker', 'forge', 'host'];
const MIN_LATENCY_MS = 1;
const MAX_LATENCY_MS = 400;
const MAX_WAKE_DELAY_MS = 300_000;
/** Time that a stopping daemon gives its passes to finish. */
const CLOSING_MS = 10_000;

const SIM_POLICY: PipelinePolicy = {
  ...DEFAULT_POLICY,
  approvals: { architect: 'auto', merge: 'auto' },
  autoMergeAllowed: true,
};

const SIM_SETTINGS: DaemonSettings = {
  autoAdvance: true,
  columns: {},
  slots: { workers: 10, perMode: {} },
  staggerMs: 2_000,
  checkWaitMs: 3_600_000,
  comments: { specification: true, plan: true, test: true },
  budgets: DEFAULT_BUDGETS,
  // Short to save time, because a worker that is being stopped is checked ten times a second.
  // Longer limits would lead to the same outcome.
  health: { termToKill: 2_000, stopUnchecked: 60_000 },
  polling: {
    normalMs: 30_000,
    holding: [
      { unchanged: 20, ms: 900_000 },
      { unchanged: 5, ms: 300_000 },
    ],
  },
  requiredResources: { diskBytes: 1e6, memoryBytes: 1e6 },
};

export async function startSimDaemon(world: SimWorld, daemonProcess: DaemonProcess): Promise<SimDaemon> {
  const { time, random, faults, rules } = world;
  const clock = createSimClock(time, daemonProcess);
  let epoch: number | undefined;
  const wrapPort = <T extends object>(
    target: T,
    port: PortName,
    methods: PortMethods = PORT_METHODS[port],
  ): T =>
    wrapUnreliablePort(target, {
      daemon: daemonProcess,
      faults,
      port,
      ...methods,
      ...(REMOTE_PORTS.includes(port) && {
        delay: () => time.sleep(random.between(MIN_LATENCY_MS, MAX_LATENCY_MS)),
      }),
      onWrite(method) {
        if (FENCED_PORTS.includes(port) && method !== 'signal')
          rules.journal.checkWriter(epoch, `${port}.${method}`);
      },
    });
  const ledger = await openLedger(wrapJournal(world, wrapPort), clock, 'sim', {
    onSnapshotFailure: () => undefined,
  });
  epoch = ledger.epoch;
  endWhenFenced(world, daemonProcess, ledger);
  const board = new FencedBoardEditor(wrapPort(world.board, 'tracker'), ledger);
  const forge = new FencedForge(wrapPort(world.forge, 'forge'), ledger);
  const host = new FencedHost(wrapPort(world.host, 'host'), ledger);
  const workspaces = new FencedWorkspaces(wrapPort(world.workspaces, 'workspaces'), ledger);
  let loop: ReconcileLoop | undefined;
  const repository: Repository = {
    name: 'sim',
    path: '/sim/repository',
    base: 'main',
    baseRef: 'main',
    forge,
    commands: async () => ({ repo: 'sim', fingerprint: '', approved: true, commands: {}, prompts: {} }),
    approve: async () => undefined,
    run: async () => ({ verdict: 'could_not_run', why: 'no such command', tail: '' }),
    fetchLatest: async () => undefined,
    readDiff: async () => undefined,
    prompts: async () => new Map(),
    promptCommands: async () => ({ approved: true, commands: {} }),
    instructions: async () => undefined,
  };
  const repositories: Repositories = {
    all: [repository],
    find: () => repository,
    require: () => repository,
    assign: () => repository,
  };
  const context: DaemonContext = {
    gates: openQualityGates({ clock, ledger, workspaces, host, repositories }),
    legionId: 'sim',
    clock,
    ledger,
    tracker: board,
    board,
    settings: () => SIM_SETTINGS,
    repositories,
    policyOf: () => SIM_POLICY,
    preflight: ALWAYS_FIT,
    workspaces,
    host,
    agents: { choicesFor: () => [{ agent: 'sim' }], readinessOf: () => 'ready' },
    recordRefusedLogin: () => undefined,
    agentOf: () => ({ agent: world.agent, use: {} }),
    environmentFor: async () => ({}),
    boardView: new BoardView(),
    problems: new ActiveProblems(clock, (problem) => rules.checkProblem(problem)),
    merges: new ActiveMerges(),
    tokens: createWorkerTokens('sim'),
    folders: {
      state: '/sim/state',
      socket: '/sim/state/daemon.sock',
      outbox: (worker, attempt) => `/sim/outbox/${worker}/${attempt}`,
    },
    hasPendingMessages: async (worker, attempt) => world.outboxes.hasMessagesFrom(worker, attempt),
    findPendingReport: async (worker, attempt) => world.outboxes.findReport(worker, attempt),
    wake: (issue) => loop?.wake(issue),
  };
  const workerApi = createWorkerApi(context);
  const running = startLoop(context, () => world.outboxes.importMessages(workerApi));
  loop = running;
  const onHint = createUnreliableWake(world, wrapListener(running.wake, daemonProcess));
  board.subscribe(onHint);
  forge.subscribe(onHint);
  ledger.subscribe((events) => {
    rules.board.checkBoardView(context.boardView, world);
    const warnings = findAutoMergeWarnings(ledger.state, events, (issue) => repositories.find(issue)?.name);
    for (const warning of warnings) void running.execute(warning);
  });
  const info = { version: 'sim', pid: 1, startedAt: clock.now() };
  return {
    process: daemonProcess,
    workerApi: workerApi,
    services: openServices(context, createLoopControl(context, running), info),
  };
}

/** An empty append only checks leadership, so it counts as a read. */
function wrapJournal({ journal }: SimWorld, wrapPort: WrapPort): Journal {
  const writer = wrapPort(journal, 'journal');
  const reader = wrapPort(journal, 'journal', { reads: ['append'], writes: [] });
  return {
    ...writer,
    append: (events, ...rest) => (events.length === 0 ? reader : writer).append(events, ...rest),
  };
}

/** Stops a fenced daemon after the time that a real one takes to shut down. */
function endWhenFenced({ time, rules }: SimWorld, daemonProcess: DaemonProcess, { fenced }: Ledger): void {
  const end = () => {
    rules.countFault('a daemon is fenced');
    time.after(CLOSING_MS, () => daemonProcess.kill());
  };
  fenced.addEventListener('abort', end, { once: true });
}

/**
 * Delivers wake-ups as mere hints: they may be lost, repeated, or delayed until after later ones.
 */
function createUnreliableWake(
  { faults, random, time }: SimWorld,
  wake: (issue: IssueId) => void,
): (issue: IssueId) => void {
  return (issue) => {
    if (faults.drawFault('lost', 'wake-up lost')) return;
    const times = faults.drawFault('doubled', 'wake-up doubled') ? 2 : 1;
    for (let count = 0; count < times; count += 1) {
      const isLate = faults.drawFault('late', 'wake-up late');
      time.after(isLate ? random.between(0, MAX_WAKE_DELAY_MS) : 0, () => wake(issue));
    }
  };
}

/** Preflight that performs no checks, for example for the simulation. */
export const ALWAYS_FIT: Preflight = {
  holds: () => ({ on: () => undefined, isOnEverything: false }),
  problems: () => [],
  notices: () => [],
  running: () => [],
  ignoreBaselines: async () => [],
  rerunBaselines: () => undefined,
};
