/** Holds a file against all other processes; what a dead process held is taken over by exactly one of those who wait. */
import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import type { Clock } from '../domain/clock.ts';
import { decode } from '../domain/decode.ts';
import { LegionError } from '../domain/fault.ts';
import { UNFINISHED } from '../lib/fs/atomic-write.ts';
import { unavailable } from './faults.ts';
import { describeHolder, type Holder, holderSchema, isDead, thisProcess } from './holder.ts';

/** A merge takes well below a second, a fetch from a clone on the same disk some; after this somebody is stuck. */
const HOLD_WAIT_MS = 30_000;

/** How often a held file is looked at: short against a merge, long against a look. */
const HOLD_POLL_MS = 20;

export type Release = () => Promise<void>;

/** The way to let go of the file, or who holds it, if that could be seen. */
export type Held = { readonly release: Release } | { readonly by: Holder | undefined };

/** Waits for the file, at most `HOLD_WAIT_MS`; then rejects with `forge.busy` and the holder's name. */
export async function hold(path: string, clock: Clock): Promise<Release> {
  const deadline = clock.monotonic() + HOLD_WAIT_MS;
  for (;;) {
    const held = await tryHold(path);
    if ('release' in held) return held.release;
    if (clock.monotonic() >= deadline) {
      const by = held.by === undefined ? 'somebody' : describeHolder(held.by);
      throw new LegionError('forge.busy', `${path} is held by ${by} for more than ${HOLD_WAIT_MS} ms`);
    }
    await clock.sleep(HOLD_POLL_MS);
  }
}

/** Waits in the same way, and lets go whatever comes of the work. */
export async function whileHeld<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const release = await hold(path, clock);
  try {
    return await work();
  } finally {
    await release();
  }
}

export async function tryHold(path: string): Promise<Held> {
  if (await take(path)) return { release: () => remove(path) };
  const holder = await read(path);
  if (holder === undefined) return { by: undefined };
  if (holder !== 'unreadable' && !isDead(holder)) return { by: holder };
  await takeFromTheDead(path, nonceOf(holder));
  return (await take(path)) ? { release: () => remove(path) } : { by: undefined };
}

/**
 * Two who find the same dead holder must not both remove the file: the second would remove the first one's new one. So the
 * right to remove this very holding is itself held, under its nonce, and the file is looked at again within.
 */
async function takeFromTheDead(path: string, nonce: string): Promise<void> {
  const right = await tryHold(`${path}.${nonce}`);
  if (!('release' in right)) return;
  try {
    const holder = await read(path);
    if (holder !== undefined && nonceOf(holder) === nonce) await remove(path);
  } finally {
    await right.release();
  }
}

function nonceOf(holder: Holder | 'unreadable'): string {
  return holder === 'unreadable' ? holder : holder.nonce.slice(0, 8);
}

/** By a link, because the file must never be there without its holder's name. */
async function take(path: string): Promise<boolean> {
  const nonce = randomUUID();
  const unfinished = `${path}.${nonce}${UNFINISHED}`;
  try {
    await writeFile(unfinished, JSON.stringify(thisProcess(nonce)), { flag: 'wx', mode: 0o600 });
    await link(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unavailable(path, error);
  } finally {
    await unlink(unfinished).catch(() => {});
  }
}

/** The file is never without its whole content while somebody lives who made it: an unreadable one is from before a power cut. */
async function read(path: string): Promise<Holder | 'unreadable' | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailable(path, error);
  }
  const holder = decode(holderSchema, parse(text), 'holder');
  return holder.ok ? holder.value : 'unreadable';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unavailable(path, error);
  });
}
