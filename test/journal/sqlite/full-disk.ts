/**
 * Runs as a separate process on a small disk: fills it, checks the contents, frees space, continues
 * and prints a report.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultCode } from '../../../src/core/model/fault.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { liftFileSizeLimit } from './confinement.ts';
import { integrity } from './integrity.ts';

export interface FullDiskReport {
  /** Fault codes of two appends to the full disk. */
  readonly refusals: readonly FaultCode[];
  readonly acknowledged: number;
  readonly versionWhenFull: number;
  /** Number of acknowledged events that were read back unchanged from the full disk. */
  readonly intactWhenFull: number;
  readonly integrityWhenFull: string;
  /** The version that the same handle reached once there was space. */
  readonly afterRoomWasMade: number;
  readonly intactInTheEnd: number;
  readonly integrityInTheEnd: string;
}

/**
 * Number of events per batch. Each event is larger than a page, so that a partial batch would be
 * noticed.
 */
const BATCH = 3;
const TEXT = 'x'.repeat(5_000);
/** Size of a file that is deleted later to free space. */
const BALLAST_BYTES = 1_000_000;

const [folder = '', room = ''] = process.argv.slice(2);
const path = join(folder, 'journal.db');
const ballast = join(folder, 'ballast');

if (room === 'ballast') writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES));
const journal = await openSqliteJournal(path);
const acknowledged = await fill();
const refusals = [await refused(), await refused()];
const versionWhenFull = await journal.version();
const intactWhenFull = await intact();
const integrityWhenFull = integrity(path);
makeRoom();
const afterRoomWasMade = await journal.append(batch(acknowledged), acknowledged, STAMP);
await journal.close();

const report: FullDiskReport = {
  refusals,
  acknowledged,
  versionWhenFull,
  intactWhenFull,
  integrityWhenFull,
  afterRoomWasMade,
  intactInTheEnd: await intactAfterReopening(),
  integrityInTheEnd: integrity(path),
};
process.stdout.write(JSON.stringify(report));

async function fill(): Promise<number> {
  for (let version = 0; ; ) {
    try {
      version = await journal.append(batch(version), version, STAMP);
    } catch {
      return version;
    }
  }
}

async function refused(): Promise<FaultCode> {
  return (await refusal(journal.append(batch(acknowledged), acknowledged, STAMP))).code;
}

async function intact(from = journal): Promise<number> {
  const events = await readAll(from);
  return events.filter(
    (event, index) => event.type === 'message.queued' && event.message === index + 1 && event.body === TEXT,
  ).length;
}

async function intactAfterReopening(): Promise<number> {
  const reopened = await openSqliteJournal(path);
  try {
    return await intact(reopened);
  } finally {
    await reopened.close();
  }
}

function makeRoom(): void {
  if (existsSync(ballast)) rmSync(ballast);
  else liftFileSizeLimit();
}

function batch(version: number) {
  return Array.from({ length: BATCH }, (_, index) => message(version + index + 1, TEXT));
}
