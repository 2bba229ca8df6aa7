/** One daemon per legion: a lock the kernel takes back when its holder dies, however that comes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../domain/fault.ts';
import { DAEMON_FILE } from '../protocol/daemon-file.ts';

/** A predecessor that was told to give way needs a moment to end. */
const WAIT_MS = 2_000;

/** Rejects with `daemon.running` and the holder's name. A lock of SQLite, because it ends with its process and needs no sweeping. */
export function lockLegion(state: string, legion: string): () => void {
  const db = new DatabaseSync(join(state, 'daemon.lock'));
  try {
    db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (error) {
    db.close();
    const message = (error as Error).message;
    if (!/locked|busy/.test(message))
      throw new LegionError('daemon.state_unusable', `${state}/daemon.lock: ${message}`, { cause: error });
    throw new LegionError('daemon.running', `legion ${legion} is led by ${holderIn(state)}`);
  }
}

function holderIn(state: string): string {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(state, DAEMON_FILE), 'utf8')) as {
      pid: number;
      url: string;
    };
    return `process ${pid} at ${url}`;
  } catch {
    return 'a process that has not given its address yet';
  }
}
