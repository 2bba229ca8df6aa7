/** Measures how long a new process takes to load the state from a journal of 100,000 events. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldEvents } from '../../src/core/state/evolve.ts';
import { toSnapshot } from '../../src/core/state/snapshot.ts';
import { createLegionState } from '../../src/core/state/state.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import type { Bench } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';
import { createIssueEvents } from '../support/generated-journal.ts';

const EVENTS = 100_000;
const APPEND_SIZE = 1_000;
const ROUNDS = 5;
const SHORT_ROUNDS = 1;
const GOAL_MS = 350;
/** Fifteen times as long as a start takes on a busy machine. A start that takes longer has hung. */
const START_DEADLINE_MS = 60_000;
/** Number of events since the last snapshot. A daemon saves a snapshot from time to time. */
const SINCE_SNAPSHOT = 1_000;

export const startBench: Bench = {
  name: 'start',
  description: 'a start from a journal of 100,000 events',
  deadlineMs: 180_000,
  async run({ short, progress }) {
    const rounds = short ? SHORT_ROUNDS : ROUNDS;
    const folder = mkdtempSync(join(tmpdir(), 'legion-bench-start-'));
    try {
      const path = join(folder, 'journal.db');
      progress('writing the journal');
      await write(path);
      progress('starting without a snapshot');
      const whole = measureStart('start from 100,000 events, none of them in a snapshot', path, rounds);
      progress('starting with a snapshot');
      await saveSnapshot(path);
      return [whole, measureStart('start from 100,000 events, 1,000 since the snapshot', path, rounds)];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function write(path: string): Promise<void> {
  const journal = await openSqliteJournal(path);
  const bodies = createIssueEvents(EVENTS);
  for (let version = 0; version < EVENTS; ) {
    version = await journal.append(bodies.slice(version, version + APPEND_SIZE), version, {
      at: version,
      epoch: 1,
    });
  }
  await journal.close();
}

async function saveSnapshot(path: string): Promise<void> {
  const journal = await openSqliteJournal(path);
  let state = createLegionState();
  for await (const batch of journal.read(0, EVENTS - SINCE_SNAPSHOT)) state = foldEvents(state, batch);
  await journal.saveSnapshot(toSnapshot(state));
  await journal.close();
}

/**
 * Uses a new process each time, so that nothing is already compiled or cached, as at a real start.
 */
function measureStart(name: string, path: string, rounds: number): Measurement {
  const times = Array.from({ length: rounds }, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'start-once.ts'), path],
      {
        encoding: 'utf8',
        timeout: START_DEADLINE_MS,
      },
    );
    if (status !== 0) throw new Error(`The measured start failed: ${stdout}`);
    return Number(stdout);
  });
  const ms = computeMedian(times);
  return { name, value: Math.round(ms), unit: 'ms', goal: `≤ ${GOAL_MS}`, met: ms <= GOAL_MS };
}
