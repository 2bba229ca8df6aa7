/** How long a new process takes to bring the state up from a journal of 100,000 events. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../src/journal/sqlite/sqlite-journal.ts';
import { fold } from '../src/swarm/evolve.ts';
import { toSnapshot } from '../src/swarm/snapshot.ts';
import { emptySwarm } from '../src/swarm/state.ts';
import { lives } from './lives.ts';
import { type Measurement, median } from './measurement.ts';

const EVENTS = 100_000;
const APPEND_SIZE = 1_000;
const ROUNDS = 5;
const GOAL_MS = 500;
/** A daemon saves a snapshot now and then; this many events have come since the last one. */
const SINCE_SNAPSHOT = 1_000;

export async function benchStart(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'legion-bench-start-'));
  try {
    const path = join(folder, 'journal.db');
    await write(path);
    const whole = measured('start from 100,000 events, none of them in a snapshot', path);
    await saveSnapshot(path);
    return [whole, measured('start from 100,000 events, 1,000 since the snapshot', path)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
function measured(name: string, path: string): Measurement {
  const times = Array.from({ length: ROUNDS }, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'start-once.ts'), path],
      {
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`the measured start failed: ${stdout}`);
    return Number(stdout);
  });
  const ms = median(times);
  return { name, value: Math.round(ms), unit: 'ms', goal: `≤ ${GOAL_MS}`, met: ms <= GOAL_MS };
}
