/** Compares the journal with bare SQLite, and measures how fast a long journal is read back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EventBody } from '../../src/core/model/event.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { Bench } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';

/**
 * Rounds alternate between the journal and bare SQLite, so that a temporarily slow disk affects
 * both. The median ignores the few worst rounds.
 */
const APPEND_ROUNDS = 40;
const SHORT_APPEND_ROUNDS = 8;
const COMMITS_PER_ROUND = 150;
/**
 * Number of rounds before the measurement, about 3,000 commits. A daemon appends for weeks, so both
 * sides are measured only after their code has been compiled.
 */
const WARM_UP_ROUNDS = 20;
const SHORT_WARM_UP_ROUNDS = 4;
const APPEND_RATIO_GOAL = 0.7;

const READ_ROUNDS = 5;
const SHORT_READ_ROUNDS = 1;
const READ_EVENTS = 100_000;
const READ_APPEND_SIZE = 1_000;
/**
 * Reading may take twice as long as fetching and parsing alone, because every event is also
 * validated.
 */
const READ_RATIO_GOAL = 2;

const STAMP = { at: 1_700_000_000_000, epoch: 1 };

export const journalBench: Bench = {
  name: 'journal',
  description: 'the journal compared with bare SQLite',
  deadlineMs: 180_000,
  async run({ short, progress }) {
    const folder = mkdtempSync(join(tmpdir(), 'legion-bench-journal-'));
    try {
      progress('appending');
      const appended = await measureAppend(folder, short);
      progress('reading back');
      return [...appended, ...(await measureRead(folder, short ? SHORT_READ_ROUNDS : READ_ROUNDS))];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function measureAppend(folder: string, short: boolean): Promise<Measurement[]> {
  const rounds = short ? SHORT_APPEND_ROUNDS : APPEND_ROUNDS;
  const warmUps = short ? SHORT_WARM_UP_ROUNDS : WARM_UP_ROUNDS;
  const journal = await openSqliteJournal(join(folder, 'append.db'));
  const bare = openBare(join(folder, 'bare.db'));
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) * COMMITS_PER_ROUND + 1;
    const bodies = createEventBodies(first, COMMITS_PER_ROUND);
    const texts = bodies.map((each) => JSON.stringify(each));
    const bareMs = await computeDuration(async () => appendBare(bare.insert, first, bodies, texts));
    const ourMs = await computeDuration(() => appendToJournal(journal, first, bodies));
    if (round < 0) continue;
    theirs.push((COMMITS_PER_ROUND / bareMs) * 1_000);
    ours.push((COMMITS_PER_ROUND / ourMs) * 1_000);
  }
  bare.db.close();
  await journal.close();

  const ratio = computeMedian(ours) / computeMedian(theirs);
  return [
    {
      name: 'journal: appends, bare SQLite',
      value: computeMedian(theirs),
      unit: '/s',
      goal: 'none',
      met: true,
    },
    { name: 'journal: appends', value: computeMedian(ours), unit: '/s', goal: 'none', met: true },
    {
      name: 'journal: appends compared with bare SQLite',
      value: ratio,
      unit: '×',
      goal: `≥ ${APPEND_RATIO_GOAL}`,
      met: ratio >= APPEND_RATIO_GOAL,
    },
  ];
}

async function measureRead(folder: string, rounds: number): Promise<Measurement[]> {
  const path = join(folder, 'read.db');
  const journal = await openSqliteJournal(path);
  for (let version = 0; version < READ_EVENTS; ) {
    version = await journal.append(createEventBodies(version + 1, READ_APPEND_SIZE), version, STAMP);
  }
  await journal.close();

  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await computeDuration(() => readOurs(path)));
    theirs.push(await computeDuration(async () => readBare(path)));
  }
  const ratio = computeMedian(ours) / computeMedian(theirs);
  return [
    {
      name: `journal: reading back ${READ_EVENTS} events`,
      value: computeMedian(ours),
      unit: 'ms',
      goal: 'none',
      met: true,
    },
    {
      name: 'journal: reading back compared with bare SQLite and JSON.parse',
      value: ratio,
      unit: '×',
      goal: `≤ ${READ_RATIO_GOAL}`,
      met: ratio <= READ_RATIO_GOAL,
    },
  ];
}

async function readOurs(path: string): Promise<void> {
  const journal = await openSqliteJournal(path);
  let count = 0;
  for await (const batch of journal.read(0)) count += batch.length;
  await journal.close();
  if (count !== READ_EVENTS) throw new Error(`read back ${count} of ${READ_EVENTS} events`);
}

function readBare(path: string): void {
  const db = new DatabaseSync(path);
  for (const { body } of db.prepare('SELECT * FROM events ORDER BY seq').all()) JSON.parse(String(body));
  db.close();
}

/**
 * Opens a database with the same table and durability settings as the journal, and nothing else.
 */
function openBare(path: string): { db: DatabaseSync; insert: StatementSync } {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE events (
    seq INTEGER PRIMARY KEY, at REAL NOT NULL, epoch INTEGER NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT`);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
  return {
    db,
    insert: db.prepare('INSERT INTO events (seq, at, epoch, type, body) VALUES (?, ?, ?, ?, ?)'),
  };
}

function appendBare(
  insert: StatementSync,
  first: number,
  bodies: readonly EventBody[],
  texts: readonly string[],
): void {
  for (const [index, { type }] of bodies.entries()) {
    insert.run(first + index, STAMP.at, STAMP.epoch, type, texts[index] ?? '');
  }
}

async function appendToJournal(journal: Journal, first: number, bodies: readonly EventBody[]): Promise<void> {
  for (const [index, each] of bodies.entries()) await journal.append([each], first + index - 1, STAMP);
}

function createEventBodies(first: number, count: number): EventBody[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'attempt.reported',
    issue: 'bench-1',
    mode: 'implement',
    attempt: 1,
    report: first + index,
    outcome: 'done',
    summary: 'Implemented the parser, added tests (all of them pass) and opened a pull request.',
  }));
}

async function computeDuration(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
