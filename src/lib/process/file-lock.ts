/**
 * Locks a file against all other processes. The file names its holder, who keeps it open; a child that inherits the
 * descriptor keeps the lock after its parent was killed. Exactly one waiter takes over what a dead process held.
 */
import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../domain/clock.ts';
import { PRIVATE_FILE, UNFINISHED } from '../fs/atomic-write.ts';
import { parseJson } from '../json.ts';
import { identifyThisProcess, isHeldOpen, judgeProcess } from './identity.ts';

/** Longer than a poll, so that others get their turn when this process has a long queue of its own. */
const COURTESY_MS = 15;

export interface FileLockOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly timeoutMs: number;
  /** Short against the work under the lock, long against a look (below 1 ms). */
  readonly pollMs: number;
  /** Age at which the lock of a holder that cannot be looked at, as on another machine, counts as left; absent: never. */
  readonly unknownHolderMs?: number;
  /** Makes the error for a lock that stays taken. */
  readonly busy: (message: string) => Error;
}

export interface FileLock {
  /** For the processes that work under the lock to inherit. */
  readonly fd: number;
  release(): Promise<void>;
}

const holderSchema = z.object({
  token: z.uuid(),
  machine: z.string(),
  pid: z.int().positive(),
  started: z.string(),
});

type Holder = z.infer<typeof holderSchema>;

/** Stands for what a power cut left: a file is never without its holder's name while somebody alive made it. */
const UNREADABLE = 'unreadable';

/** Waits for the lock. Rejects with `busy`, or with the file system's error. */
export async function acquireFileLock(path: string, options: FileLockOptions): Promise<FileLock> {
  const { clock, timeoutMs, pollMs, unknownHolderMs, busy } = options;
  const claim = await openClaim(path);
  try {
    for (const deadline = clock.monotonic() + timeoutMs; ; await clock.sleep(pollMs)) {
      const holder = await take(path, claim, unknownHolderMs);
      if (holder === 'taken') break;
      if (clock.monotonic() >= deadline) {
        const who = typeof holder === 'object' ? `process ${holder.pid} on ${holder.machine}` : 'somebody';
        throw busy(`${path} is held by ${who} for more than ${timeoutMs} ms`);
      }
    }
    await clearLeftovers(path, claim.token);
  } catch (error) {
    await claim.close();
    throw error;
  }
  return {
    fd: claim.fd,
    async release() {
      await releaseOwn(path, claim.token);
      await claim.close();
      if ((await leftoversOf(path)).length > 0) await clock.sleep(COURTESY_MS);
    },
  };
}

/** Returns undefined if somebody else holds the lock. */
export async function tryFileLock(path: string): Promise<Pick<FileLock, 'release'> | undefined> {
  const claim = await openClaim(path);
  try {
    if ((await take(path, claim)) !== 'taken') return undefined;
  } finally {
    await claim.close();
  }
  return { release: () => releaseOwn(path, claim.token) };
}

interface Claim {
  readonly token: string;
  readonly path: string;
  readonly fd: number;
  close(): Promise<void>;
}

/** Written before it is linked, because a lock must never be there without its holder's name. */
async function openClaim(lock: string): Promise<Claim> {
  const token = randomUUID();
  const path = `${lock}.${token}${UNFINISHED}`;
  const file = await open(path, 'wx', PRIVATE_FILE);
  const close = async () => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    const holder: Holder = { token, ...identifyThisProcess() };
    await file.writeFile(JSON.stringify(holder));
  } catch (error) {
    await close();
    throw error;
  }
  return { token, path, fd: file.fd, close };
}

/** `taken`, or who has it; undefined where it has just been released. */
async function take(
  path: string,
  claim: Claim,
  unknownHolderMs?: number,
): Promise<'taken' | typeof UNREADABLE | Holder | undefined> {
  if (await tryLink(path, claim)) return 'taken';
  const holder = await readHolder(path);
  if (holder === undefined || !(await isGone(path, holder, unknownHolderMs))) return holder;
  await removeDeadLock(path, holder, claim, unknownHolderMs);
  return (await tryLink(path, claim)) ? 'taken' : holder;
}

async function tryLink(path: string, claim: Claim): Promise<boolean> {
  try {
    await link(claim.path, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Two who find the same dead holder must not both remove its lock: the slower would remove the new lock of the faster. So
 * the right to remove this very lock is itself a lock, under the holder's token, and the lock is read once more within.
 */
async function removeDeadLock(
  path: string,
  dead: Holder | typeof UNREADABLE,
  claim: Claim,
  unknownHolderMs: number | undefined,
): Promise<void> {
  const right = `${path}.${tokenOf(dead)}`;
  if ((await take(right, claim, unknownHolderMs)) !== 'taken') return;
  const holder = await readHolder(path);
  if (holder !== undefined && tokenOf(holder) === tokenOf(dead)) await rm(path, { force: true });
  await rm(right, { force: true });
}

async function isGone(
  path: string,
  holder: Holder | typeof UNREADABLE,
  unknownHolderMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (holder === UNREADABLE) return true;
  const fate = judgeProcess(holder);
  if (fate === 'alive') return false;
  const heirs = fate === 'dead' ? isHeldOpen(holder.token) : 'unknown';
  if (heirs !== 'unknown') return !heirs;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > unknownHolderMs;
}

/** Not a lock that somebody else has taken over, who could not look at us. */
async function releaseOwn(path: string, token: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder !== undefined && tokenOf(holder) === token) await rm(path, { force: true });
}

/** Removes what killed waiters left; only the holder of the lock does, so that no right in use can be hit. */
async function clearLeftovers(path: string, ownToken: string): Promise<void> {
  for (const name of await leftoversOf(path)) {
    if (name.includes(ownToken)) continue;
    const file = join(dirname(path), name);
    const holder = await readHolder(file);
    // Without its name the kill came before the writing; a living process would still have it open.
    const isLeft = typeof holder === 'object' ? judgeProcess(holder) === 'dead' : isHeldOpen(name) === false;
    if (isLeft) await rm(file, { force: true });
  }
}

async function leftoversOf(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path));
  return names.filter((name) => name.startsWith(`${basename(path)}.`));
}

function tokenOf(holder: Holder | typeof UNREADABLE): string {
  return holder === UNREADABLE ? UNREADABLE : holder.token;
}

async function readHolder(path: string): Promise<Holder | typeof UNREADABLE | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return holderSchema.safeParse(parseJson(text)).data ?? UNREADABLE;
}
