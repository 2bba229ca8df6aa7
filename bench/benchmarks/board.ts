/**
 * Measures what the dashboard's board costs the daemon: building 2,000 cards (compared with
 * serialising them as JSON), and computing the board at any moment of a long journal.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_BUDGETS } from '../../src/core/health/budget.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ObservedIssue } from '../../src/core/model/observed-issue.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { foldEvents } from '../../src/core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../src/core/state/state.ts';
import { BoardView } from '../../src/daemon/context/board-view.ts';
import type { DaemonContext } from '../../src/daemon/context/daemon-context.ts';
import { openLedger } from '../../src/daemon/context/journal-ledger.ts';
import { buildPresentBoard } from '../../src/daemon/services/dashboard/board.ts';
import { JournalHistory } from '../../src/daemon/services/dashboard/history.ts';
import { PastStates } from '../../src/daemon/services/dashboard/moments.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../src/lib/async/system-clock.ts';
import { ALWAYS_FIT } from '../../src/sim/daemon.ts';
import type { Bench } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';
import { createIssueEvents } from '../support/generated-journal.ts';
import { readThreadCpuMs } from '../support/process-cost.ts';

const CARDS = 2_000;
/** Number of events that `generated-journal.ts` generates per issue. */
const EVENTS_OF_ISSUE = 112;
const ROUNDS = 25;
/**
 * Serialising the cards is unavoidable, so building them may cost at most this many times as much.
 */
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
    const cards = measureCards();
    progress('100,000 events');
    return [cards, ...(await measureMoments())];
  },
};

function measureCards(): Measurement {
  const events = createIssueEvents(CARDS * EVENTS_OF_ISSUE);
  const numbered = events.map((body, index): Event => ({ ...body, seq: index + 1, at: index, epoch: 0 }));
  const state = foldEvents(createLegionState(), numbered);
  const boardView = new BoardView();
  boardView.replaceAll(Array.from({ length: CARDS }, (_, index) => createObservedIssue(index)));
  const context = createBoardContext(state, boardView);
  const control = { listUndecided: () => [], listActivities: () => new Map() };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = readThreadCpuMs();
    const { cards } = buildPresentBoard(context, control);
    const made = readThreadCpuMs();
    const text = JSON.stringify(cards);
    const wrote = readThreadCpuMs();
    if (cards.length !== CARDS || text.length < CARDS) throw new Error('The board is incomplete.');
    ratios.push((made - begun) / (wrote - made));
  }
  const ratio = computeMedian(ratios);
  return {
    name: 'board of 2,000 cards compared with writing them as JSON',
    value: Math.round(ratio * 100) / 100,
    unit: '×',
    goal: `≤ ${RATIO_GOAL}`,
    met: ratio <= RATIO_GOAL,
  };
}

/**
 * Visits moments out of order, as when a person drags the time slider. For each moment, the events
 * before it are folded separately.
 */
async function measureMoments(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'legion-bench-board-'));
  try {
    const journal = await openSqliteJournal(join(folder, 'journal.db'));
    const bodies = createIssueEvents(EVENTS);
    for (let version = 0; version < EVENTS; ) {
      const batch = bodies.slice(version, version + APPEND_SIZE);
      version = await journal.append(batch, version, { at: version, epoch: 1 });
    }
    const ledger = await openLedger(journal, systemClock, 'bench', { onSnapshotFailure: () => undefined });
    const moments = new PastStates(ledger, new JournalHistory(ledger));
    const times: number[] = [];
    for (let round = 0; round <= MOMENTS; round += 1) {
      const begun = performance.now();
      await moments.at({ version: 1 + ((round * 37_811) % EVENTS) });
      times.push(performance.now() - begun);
    }
    await ledger.close();
    const [first = 0, ...others] = times;
    const ms = computeMedian(others);
    return [
      {
        name: 'the first moment of 100,000 events, including keyframes',
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

/** Contains only the parts of the daemon context that the board uses. */
function createBoardContext(state: LegionState, boardView: BoardView): DaemonContext {
  const tracker = { mayDispatch: () => ({ allowed: true, why: '' }) };
  return {
    boardView,
    tracker,
    clock: systemClock,
    ledger: { state: state },
    policyOf: () => DEFAULT_POLICY,
    preflight: ALWAYS_FIT,
    agents: { choicesFor: () => [{ agent: 'bench' }], readinessOf: () => 'ready' },
    settings: () => ({
      autoAdvance: true,
      slots: { workers: 10, perMode: {} },
      staggerMs: 0,
      checkWaitMs: 3_600_000,
      health: {},
      budgets: DEFAULT_BUDGETS,
    }),
  } as unknown as DaemonContext;
}

function createObservedIssue(index: number): ObservedIssue {
  const status = STATUSES[index % STATUSES.length] ?? 'Todo';
  return {
    issue: {
      id: `BENCH-${index + 1}`,
      source: { kind: 'local' },
      title: `An issue with a title of several words ${index}`,
      body: 'Do it.',
      column: status,
      labels: ['worker-active', 'chore'],
      priority: 0,
      createdAt: index,
      openBlockers: index % 11 === 0 ? ['BENCH-1'] : [],
    },
    status,
    pullRequest: 'none',
    changes: new Map(),
    clarified: false,
  };
}
