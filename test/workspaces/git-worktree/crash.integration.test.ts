/**
 * Kills a process with `kill -9` at random moments while it creates and removes workspaces. The
 * next process repairs what the killed one left behind.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chooseByEffort } from '../../support/effort.ts';
import { git } from './git-command.ts';
import { startEnsurer } from './script.ts';
import { useGit } from './use-harness.ts';

const KILLS = chooseByEffort(2, 20);
const ISSUES = ['ENG-1', 'eng-2', 'eng-3'];
/**
 * Approximate duration of three creations and three removals. The kill comes at a random moment
 * within this time.
 */
const WORKING_MS = 900;
const TIMEOUT_MS = 180_000;

const present = useGit();
const { LEGION_SEED: given } = process.env;
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));

test(`the next process recovers from each of ${KILLS} kills (LEGION_SEED=${seed})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  process.stdout.write(`workspace crash test: LEGION_SEED=${seed}\n`);
  const random = randomFrom(seed);
  const { root, repository, open } = present();
  const folder = await repository();
  const seen = new Map<number, number>();

  for (let life = 1; life <= KILLS; life += 1) {
    const { child, ready, ended } = startEnsurer('over and over', root, folder, ISSUES);
    await ready;
    await sleep(random() * WORKING_MS);
    // In every second round, git outlives its parent for a moment, as it would if a daemon were
    // killed.
    const gits = life % 2 === 0 ? descendants(child.pid) : [];
    child.kill('SIGKILL');
    for (const pid of gits) killIfThere(pid);
    expect((await ended).said, `life ${life}`).toBe('');

    const workspaces = await open();
    // Listed workspaces are complete even before any repair.
    const shown = await workspaces.list();
    seen.set(shown.length, (seen.get(shown.length) ?? 0) + 1);
    for (const { path } of shown) expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('read me\n');

    for (const issue of ISSUES) {
      const { path } = await workspaces.ensure(issue, folder);
      expect(await git(path, 'status', '--porcelain', '--branch'), `life ${life}`).toBe(`## ${issue}`);
    }
    expect(await workspaces.prune(folder)).toEqual([]);
    expect(readdirSync(join(folder, '.git', 'worktrees'))).toHaveLength(ISSUES.length);
    expect(readdirSync(join(folder, '.git', 'legion-lock'))).toEqual([]);
    for (const issue of ISSUES) expect(await workspaces.remove(issue)).toEqual({ removed: true });
    expect(await git(folder, 'branch', '--list', '--format=%(refname:short)')).toBe('main');
  }
  process.stdout.write(
    `complete workspaces at the time of the kill, and how often: ${JSON.stringify([...seen])}\n`,
  );
});

/**
 * Returns the children and all their descendants, because `git worktree add` starts other git
 * processes.
 */
function descendants(parent: number | undefined): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
  return [...children, ...children.flatMap(descendants)];
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it exited during the listing
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process exited a moment ago.
  }
}

/** Returns pseudo-random numbers from 0 to 1 for the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
