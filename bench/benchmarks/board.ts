/** What the dashboard's board costs the daemon: 2,000 cards beside writing the same cards as JSON, and any moment of a long journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event } from '../../src/core/model/event.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { fold } from '../../src/core/state/evolve.ts';
import type { SeenIssue } from '../../src/core/state/observation.ts';
import { emptySwarm, type Swarm } from '../../src/core/state/state.ts';
import { BoardView } from '../../src/daemon/board-view.ts';
import { openLedger } from '../../src/daemon/context/journal-ledger.ts';
import { presentBoard } from '../../src/daemon/desks/dashboard/board/present-board.ts';
import { Chronicle } from '../../src/daemon/desks/dashboard/past/chronicle.ts';
import { Moments } from '../../src/daemon/desks/dashboard/past/moments.ts';
import { ALWAYS_FIT } from '../../src/daemon/preflight/always-fit.ts';
import type { World } from '../../src/daemon/world.ts';
import { DEFAULT_BUDGETS } from '../../src/health/budget.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../src/lib/async/system-clock.ts';
import type { Bench } from '../bench.ts';
import { type Measurement, median } from '../measurement.ts';
import { lives } from '../support/generated-journal.ts';
import { threadCpuMs } from '../support/process-cost.ts';

const CARDS = 2_000;
/** Each issue of `lives` has so many events. */
const EVENTS_OF_ISSUE = 112;
const ROUNDS = 25;
/** Making the cards may cost some times as much as writing them out, which nobody can spare. */
const RATIO_GOAL = 8;

const EVENTS = 100_000;
const APPEND_SIZE = 1_000;
const MOMENTS = 30;
const MOMENT_GOAL_MS = 300;

export const boardBench: Bench = {
  name: 'board',
  description: 'the dashboard’s board, and any moment of a long journal',
  deadlineMs: 180_000,
  async run({ progress }) {
    progress('2,000 cards');
    const cards = benchCards();
    progress('100,000 events');
    return [cards, ...(await benchMoments())];
  },
};

function benchCards(): Measurement {
  const events = lives(CARDS * EVENTS_OF_ISSUE);
  const numbered = events.map((body, index): Event => ({ ...body, seq: index + 1, at: index, epoch: 0 }));
  const swarm = fold(emptySwarm(), numbered);
  const view = new BoardView();
  view.replaceAll(Array.from({ length: CARDS }, (_, index) => seen(index)));
  const world = worldOf(swarm, view);
  const control = { undecided: () => [], doings: () => new Map() };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = threadCpuMs();
    const { cards } = presentBoard(world, control);
    const made = threadCpuMs();
    const text = JSON.stringify(cards);
    const wrote = threadCpuMs();
    if (cards.length !== CARDS || text.length < CARDS)
      throw new Error('the board of the benchmark is not whole');
    ratios.push((made - begun) / (wrote - made));
  }
  const ratio = median(ratios);
  return {
    name: 'board of 2,000 cards against writing them as JSON',
    value: Math.round(ratio * 100) / 100,
    unit: '×',
    goal: `≤ ${RATIO_GOAL}`,
    met: ratio <= RATIO_GOAL,
  };
}

/** In no order, as somebody drags: each is a fold of its own. */
async function benchMoments(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'legion-bench-board-'));
  try {
    const journal = await openSqliteJournal(join(folder, 'journal.db'));
    const bodies = lives(EVENTS);
    for (let version = 0; version < EVENTS; ) {
      const batch = bodies.slice(version, version + APPEND_SIZE);
      version = await journal.append(batch, version, { at: version, epoch: 1 });
    }
    const ledger = await openLedger(journal, systemClock, 'bench', { onSnapshotFailure: () => undefined });
    const moments = new Moments(ledger, new Chronicle(ledger));
    const times: number[] = [];
    for (let round = 0; round <= MOMENTS; round += 1) {
      const begun = performance.now();
      await moments.at({ version: 1 + ((round * 37_811) % EVENTS) });
      times.push(performance.now() - begun);
    }
    await ledger.close();
    const [first = 0, ...others] = times;
    const ms = median(others);
    return [
      {
        name: 'the first moment of 100,000 events, keyframes and all',
        value: Math.round(first),
        unit: 'ms',
        goal: 'none',
        met: true,
      },
      {
        name: 'any other moment of 100,000 events',
        value: Math.round(ms),
        unit: 'ms',
        goal: `≤ ${MOMENT_GOAL_MS}`,
        met: ms <= MOMENT_GOAL_MS,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the board is made of, and nothing else of the world. */
function worldOf(swarm: Swarm, view: BoardView): World {
  const tracker = { mayDispatch: () => ({ allowed: true, why: '' }) };
  return {
    ...{ view, tracker, clock: systemClock, ledger: { swarm }, policyOf: () => DEFAULT_POLICY },
    preflight: ALWAYS_FIT,
    agents: { choicesFor: () => [{ agent: 'bench' }], readinessOf: () => 'ready' },
    settings: () => ({
      autoAdvance: true,
      places: { workers: 10, perMode: {} },
      staggerMs: 0,
      checkWaitMs: 3_600_000,
      health: {},
      budgets: DEFAULT_BUDGETS,
    }),
  } as unknown as World;
}

function seen(index: number): SeenIssue {
  const status = STATUSES[index % STATUSES.length] ?? 'Todo';
  return {
    issue: {
      ...{ id: `BENCH-${index + 1}`, source: { kind: 'local' }, title: `An issue with some words ${index}` },
      ...{ body: 'Do it.', column: status, labels: ['worker-active', 'chore'], priority: 0 },
      ...{ createdAt: index, openBlockers: index % 11 === 0 ? ['BENCH-1'] : [] },
    },
    status,
    pullRequest: 'none',
    changes: new Map(),
    addedDependencies: [],
    clarified: false,
  };
}
