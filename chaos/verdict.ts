/** What must be so after all the kills, seen in the repository, on the board and in the stores. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { git } from '../bench/legion.ts';
import type { Ask } from '../bench/operator.ts';
import { isThere } from './processes.ts';

export const ISSUES = 50;
/** Fifty lives take a minute and a half; with a machine that kills, many times that. */
const ALL_DONE_MS = 20 * 60_000;

/** Workers that were there before the kill and still are, and that the new daemon does not know. */
export async function unadopted(ask: Ask, before: readonly number[]): Promise<string[]> {
  const known = new Set((await read<{ pid: number | null }[]>(ask, '/workers')).map(({ pid }) => pid));
  const strangers = before.filter((pid) => isThere(pid) && !known.has(pid));
  if (strangers.length === 0) return [];
  // One that was just being started is found within a moment.
  await sleep(1_000);
  const later = new Set((await read<{ pid: number | null }[]>(ask, '/workers')).map(({ pid }) => pid));
  return strangers
    .filter((pid) => isThere(pid) && !later.has(pid))
    .map((pid) => `worker ${pid} was not adopted`);
}

export async function unfinished(ask: Ask, say: (text: string) => void): Promise<string[]> {
  const until = performance.now() + ALL_DONE_MS;
  for (;;) {
    const board = await read<{ id: string; status: string }[]>(ask, '/issues');
    const open = board.filter(({ status }) => status !== 'Done');
    if (board.length !== ISSUES) return [`${board.length} issues are on the board instead of ${ISSUES}`];
    if (open.length === 0) return [];
    if (performance.now() > until) return open.map(({ id, status }) => `${id} stays in ${status}`);
    say(`${ISSUES - open.length} of ${ISSUES} are Done`);
    await sleep(5_000);
  }
}

async function read<T>(ask: Ask, path: string): Promise<T> {
  return (await (await ask('GET', path)).json()) as T;
}

/** Each issue is on the base once. */
export function landedWrong(repository: string): string[] {
  const subjects = git(repository, 'log', '--format=%s', 'main').split('\n');
  return Array.from({ length: ISSUES }, (_, index) => `Greet person ${index} (`).flatMap((title) => {
    const times = subjects.filter((subject) => subject.includes(title)).length;
    return times === 1 ? [] : [`“${title}…” is on main ${times} times`];
  });
}

export function broken(state: string): string[] {
  return readdirSync(state)
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => {
      const store = new DatabaseSync(join(state, name), { readOnly: true });
      const found = store.prepare('PRAGMA integrity_check').get() as { readonly integrity_check: string };
      store.close();
      return found.integrity_check === 'ok' ? [] : [`${name}: ${found.integrity_check}`];
    });
}
