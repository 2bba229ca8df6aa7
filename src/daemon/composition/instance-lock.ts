/**
 * Ensures one daemon per legion with a lock that the kernel releases when the holder exits for any
 * reason.
 */
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { createGitRunner } from '../../git/runner.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import {
  DAEMON_FILE,
  type DaemonFile,
  HOLDER_FILE,
  STARTED_FROM_FILE,
  startedFromSchema,
} from '../../protocol/state-files.ts';
import { requireCommonFolder } from '../../workspaces/git-worktree/repository.ts';

/**
 * Time allowed for the previous daemon to exit. A second `up` has to respond within 2 s, and
 * starting Node twice takes up the rest of that time.
 */
const MAX_WAIT_MS = 1_000;
/** Each attempt waits this long for the lock, then reads the holder's address again. */
const ATTEMPT_MS = 50;

/**
 * Throws `daemon.running` with the holder's process id if the lock is held. Uses SQLite's lock,
 * which ends with its process and needs no cleanup.
 */
export function lockLegion(state: string, legion: string): () => void {
  const db = new DatabaseSync(join(state, 'daemon.lock'));
  try {
    // `locking_mode = EXCLUSIVE` is not used: a failed attempt would keep its shared lock, and two
    // starting daemons would block each other.
    db.exec(`PRAGMA busy_timeout = ${ATTEMPT_MS}`);
    for (let waited = 0; !tryLock(db); waited += ATTEMPT_MS) {
      // A holder that has published an address is running. A holder without an address is either
      // starting or exiting.
      const address = readAddress(state);
      if (address === undefined && waited < MAX_WAIT_MS) continue;
      throw new LegionError(
        'daemon.running',
        `Legion ${legion} is already led by ${address ?? readHolder(state)}`,
      );
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

/** Waits up to the busy timeout. The transaction stays open, because it holds the lock. */
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
    return `process ${pid}, which has no address yet`;
  } catch {
    return 'a process that has not published its address yet';
  }
}

/**
 * Prevents a second repository from accidentally taking over a legion of the same name. Worktrees
 * of one repository may use the same legion one after another. The name becomes free if the
 * previous `legion.yaml` no longer exists.
 */
export async function refuseOtherRepository(
  stateFolder: string,
  { legion, file, environment }: { legion: string; file: string; environment: EnvironmentVariables },
): Promise<void> {
  const { data: last } = startedFromSchema.safeParse(readJsonFile(join(stateFolder, STARTED_FROM_FILE)));
  if (last === undefined || last.file === file || !existsSync(last.file)) return;
  const [before, now] = await Promise.all([last.file, file].map((each) => findHome(each, environment)));
  if (before === now) return;
  throw new LegionError(
    'daemon.name_taken',
    `Legion ${legion} belongs to ${last.file}. ${file} has the same name and would take over its issues and workers.`,
  );
}

/**
 * Returns the repository that contains this `legion.yaml`. Returns the file's directory if it is
 * not in a repository.
 */
async function findHome(file: string, environment: EnvironmentVariables): Promise<string> {
  const folder = dirname(file);
  return requireCommonFolder(createGitRunner({ environment }), folder).catch(() => realpathSync(folder));
}
