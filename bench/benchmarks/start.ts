/** How long a new process takes to bring the state up from a journal of 100,000 events. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fold } from '../../src/core/state/evolve.ts';
import { toSnapshot } from '../../src/core/state/snapshot.ts';
import { emptySwarm } from '../../src/core/state/state.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import type { Bench } from '../bench.ts';
import { type Measurement, median } from '../measurement.ts';
import { lives } from '../support/generated-journal.ts';

const EVENTS = 100_000;
const APPEND_SIZE = 1_000;
const ROUNDS = 5;
const SHORT_ROUNDS = 1;
const GOAL_MS = 350;
/** Fifteen times what it takes on a busy machine: by then the start hangs. */
const START_DEADLINE_MS = 60_000;
/** A daemon saves a snapshot now and then; this many events have come since the last one. */
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
      const whole = measured('start from 100,000 events, none of them in a snapshot', path, rounds);
      progress('starting with a snapshot');
      await saveSnapshot(path);
      return [whole, measured('start from 100,000 events, 1,000 since the snapshot', path, rounds)];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function write(path: string): Promise<void> {
  const journal = await openSqliteJournal(path);
  const bodies = lives(EVENTS);
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
  let swarm = emptySwarm();
  for await (const batch of journal.read(0, EVENTS - SINCE_SNAPSHOT)) swarm = fold(swarm, batch);
  await journal.saveSnapshot(toSnapshot(swarm));
  await journal.close();
}

/** In a process of its own each time: nothing is compiled or cached that would not be at a real start. */
function measured(name: string, path: string, rounds: number): Measurement {
  const times = Array.from({ length: rounds }, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'start-once.ts'), path],
      {
        encoding: 'utf8',
        timeout: START_DEADLINE_MS,
      },
    );
    if (status !== 0) throw new Error(`the measured start failed: ${stdout}`);
    return Number(stdout);
  });
  const ms = median(times);
  return { name, value: Math.round(ms), unit: 'ms', goal: `≤ ${GOAL_MS}`, met: ms <= GOAL_MS };
}
