/** One daemon per legion: a lock the kernel takes back when its holder dies, however that comes. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../domain/fault.ts';
import { readJsonFile } from '../lib/fs/read-bounded.ts';
import { DAEMON_FILE, type DaemonFile } from '../protocol/daemon-file.ts';

/**
 * A predecessor that was told to give way needs a moment to end. No longer, because who starts beside another must be told so
 * within two seconds, of which two starts of Node take the rest.
 */
const WAIT_MS = 1_000;
/** How often it is looked whether the holder has given way, or its address. */
const LOOK_MS = 50;

/** The holder's number, which it has before it has an address. Means something only while the lock is held. */
const HOLDER_FILE = 'daemon.holder';

/** Rejects with `daemon.running` and the holder's name. A lock of SQLite, because it ends with its process and needs no sweeping. */
export function lockLegion(state: string, legion: string): () => void {
  const db = new DatabaseSync(join(state, 'daemon.lock'));
  try {
    db.exec(`PRAGMA busy_timeout = ${LOOK_MS}`);
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    for (let waited = 0; !isTaken(db); waited += LOOK_MS) {
      // One with an address leads and will go on; one without is about to lead, or about to end.
      const address = addressIn(state);
      if (address === undefined && waited < WAIT_MS) continue;
      throw new LegionError('daemon.running', `legion ${legion} is led by ${address ?? holderIn(state)}`);
    }
    // An address that lies here now is that of a daemon that was killed.
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

/** Waits for as long as the database was told to. */
function isTaken(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (/locked|busy/.test((error as Error).message)) return false;
    throw error;
  }
}

function addressIn(state: string): string | undefined {
  const file = readJsonFile(join(state, DAEMON_FILE)) as Partial<DaemonFile> | undefined;
  return file?.pid === undefined ? undefined : `process ${file.pid} at ${file.url}`;
}

function holderIn(state: string): string {
  try {
    const pid = Number(readFileSync(join(state, HOLDER_FILE), 'utf8'));
    return `process ${pid}, which has no address at this moment`;
  } catch {
    return 'a process that has not given its address yet';
  }
}
