/**
 * One process at a time changes the worktrees of a repository. The lock is a file `held` that names its holder; the holder
 * keeps it open and every git it starts inherits that, so a git that outlives a killed holder still keeps the lock.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { parseJson } from '../../lib/json.ts';
import { unlessAbsent } from './faults.ts';
import { fateOf, isHeldOpen, thisProcess } from './processes.ts';

/** A creation is a checkout; ten large ones in a row stay below this. Whoever waits longer waits for somebody stuck. */
export const LOCK_TIMEOUT_MS = 600_000;
/** Short against a creation (about 50 ms for a small repository), long against a look (below 1 ms). */
const LOCK_POLL_MS = 10;
/** Longer than a poll, so that others get their turn when this process has a long queue of its own. */
const COURTESY_MS = 15;
/** A holder that cannot be looked at (another machine, no proc file system) has certainly ended: git is bounded by minutes. */
const UNKNOWN_IS_DEAD_AFTER_MS = 3_600_000;

const HELD = 'held';

const holderSchema = z.object({
  token: z.uuid(),
  machine: z.string(),
  pid: z.int().positive(),
  started: z.string(),
});

type Holder = z.infer<typeof holderSchema>;

/** Does `work` while holding the lock in `folder`, which is made; `keepOpen` is for the processes `work` starts. */
export async function withLock<T>(
  folder: string,
  timeoutMs: number,
  work: (keepOpen: number) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holder: Holder = { token: randomUUID(), ...thisProcess() };
  const claim = join(folder, holder.token);
  const file = await open(claim, 'wx', 0o600);
  try {
    // Written before it is linked, because `held` must never be there without its holder's name.
    await file.writeFile(JSON.stringify(holder));
    await waitFor(folder, claim, timeoutMs);
    try {
      await clearClaims(folder, holder.token);
      return await work(file.fd);
    } finally {
      await letGo(join(folder, HELD), holder.token);
    }
  } finally {
    await file.close();
    await rm(claim, { force: true });
    if ((await readdir(folder)).length > 0) await sleep(COURTESY_MS);
  }
}

/** Not what somebody else has taken over, who could not see us for an hour. */
async function letGo(held: string, token: string): Promise<void> {
  if ((await holderIn(held))?.token === token) await rm(held, { force: true });
}

async function waitFor(folder: string, claim: string, timeoutMs: number): Promise<void> {
  const held = join(folder, HELD);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const holder = await take(held, claim);
    if (holder === 'taken') return;
    if (performance.now() >= deadline) {
      const who = holder === undefined ? 'somebody' : `process ${holder.pid} on ${holder.machine}`;
      throw new LegionError('workspace.busy', `${held} is held by ${who} for more than ${timeoutMs} ms`);
    }
    await sleep(LOCK_POLL_MS);
  }
}

/** `taken`, or who has it; nobody where it has just been let go. */
async function take(path: string, claim: string): Promise<'taken' | Holder | undefined> {
  try {
    await link(claim, path);
    return 'taken';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = await holderIn(path);
  if (holder !== undefined && (await isGone(path, holder))) await takeFromTheDead(path, holder, claim);
  return holder;
}

/**
 * Two who find the same dead holder must not both remove its lock: the slower would remove the new lock of the faster. So
 * the right to remove this very lock is itself held, under its token, and the lock is looked at once more within. Should
 * the holder of that right die as well, it is taken from it in the same way.
 */
async function takeFromTheDead(path: string, dead: Holder, claim: string): Promise<void> {
  const right = `${path}.${dead.token}`;
  if ((await take(right, claim)) !== 'taken') return;
  if ((await holderIn(path))?.token === dead.token) await rm(path, { force: true });
  await rm(right, { force: true });
}

async function isGone(path: string, holder: Holder): Promise<boolean> {
  const fate = fateOf(holder);
  if (fate === 'alive') return false;
  const heirs = fate === 'dead' ? isHeldOpen(holder.token) : 'unknown';
  return heirs === 'unknown' ? isAncient(path) : !heirs;
}

async function isAncient(path: string): Promise<boolean> {
  const found = await unlessAbsent(stat(path));
  return found !== undefined && Date.now() - found.mtimeMs > UNKNOWN_IS_DEAD_AFTER_MS;
}

/** What waiters left that were killed; only the holder of the lock clears, so no right that is in use can be hit. */
async function clearClaims(folder: string, token: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === HELD || name === token) continue;
    const holder = await holderIn(join(folder, name));
    // Without a holder's name in it the kill came before the writing; a living one would still have it open.
    const gone = holder === undefined ? isHeldOpen(name) === false : fateOf(holder) === 'dead';
    if (gone) await rm(join(folder, name), { force: true });
  }
}

/** Nobody where the file is gone, or is being written at this moment. */
async function holderIn(path: string): Promise<Holder | undefined> {
  const text = await unlessAbsent(readFile(path, 'utf8'));
  return text === undefined ? undefined : holderSchema.safeParse(parseJson(text)).data;
}
