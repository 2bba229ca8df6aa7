/** One daemon per legion: the kernel releases the lock when its holder dies, for whatever reason. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import { DAEMON_FILE, type DaemonFile } from '../../protocol/daemon-file.ts';

/** How long a predecessor may take to exit. A second `up` answers within 2 s, and starting Node twice takes the rest. */
const MAX_WAIT_MS = 1_000;
/** Each attempt waits this long for the lock, then reads the holder's address again. */
const ATTEMPT_MS = 50;

/** The holder's process id, known before its address. Valid only while the lock is held. */
const HOLDER_FILE = 'daemon.holder';

/** Throws `daemon.running`, naming the holder. The lock is SQLite's, because it ends with its process and needs no cleanup. */
export function lockLegion(state: string, legion: string): () => void {
  const db = new DatabaseSync(join(state, 'daemon.lock'));
  try {
    // Not `locking_mode = EXCLUSIVE`: a failed attempt would keep its shared lock, and two starts would block each other.
    db.exec(`PRAGMA busy_timeout = ${ATTEMPT_MS}`);
    for (let waited = 0; !tryLock(db); waited += ATTEMPT_MS) {
      // A holder with an address leads; one without is about to lead or to exit.
      const address = readAddress(state);
      if (address === undefined && waited < MAX_WAIT_MS) continue;
      throw new LegionError('daemon.running', `legion ${legion} is led by ${address ?? readHolder(state)}`);
    }
    // Any address found now belongs to a daemon that was killed.
    rmSync(join(state, DAEMON_FILE), { force: true });
    writeFileSync(join(state, HOLDER_FILE), `${process.pid}\n`);
    return () => db.close();
  } catch (error) {
    db.close();
    if (error instanceof LegionError) throw error;
    const { message } = error as Error;
    throw new LegionError('daemon.state_unusable', `${state}/daemon.lock: ${message}`, { cause: error });
  }
}

/** Waits up to the busy timeout. The transaction stays open, and with it the lock. */
function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (/locked|busy/.test((error as Error).message)) return false;
    throw error;
  }
}

function readAddress(state: string): string | undefined {
  const file = readJsonFile(join(state, DAEMON_FILE)) as Partial<DaemonFile> | undefined;
  return file?.pid === undefined ? undefined : `process ${file.pid} at ${file.url}`;
}

function readHolder(state: string): string {
  try {
    const pid = Number(readFileSync(join(state, HOLDER_FILE), 'utf8'));
    return `process ${pid}, which has no address at this moment`;
  } catch {
    return 'a process that has not given its address yet';
  }
}
