/** What an outside observer sees of a legion's processes: the kernel's own lists, and nothing that Legion says. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SeenWorker {
  readonly pid: number;
  readonly parent: number;
  /** When it was started, in ticks since the machine was: with the pid it names one process for ever. */
  readonly started: string;
  readonly worker: string;
  readonly attempt: number;
}

export interface SeenRunner {
  readonly pid: number;
  readonly worker: string;
  readonly attempt: number;
}

/** Agents of the legion whose state lies in this folder; not what they have started themselves. */
export function workersOf(state: string, decoys: ReadonlySet<number>): readonly SeenWorker[] {
  const seen = pids().flatMap((pid): SeenWorker[] => {
    const environment = decoys.has(pid) ? undefined : read(`/proc/${pid}/environ`);
    if (environment === undefined || !environment.includes(`LEGION_STATE=${state}\0`)) return [];
    // The runner has the environment of its worker as well; the agent is the one that plays.
    const words = wordsOf(pid);
    if (!words.includes('scripted') || words.includes('legion-runner')) return [];
    const stat = statOf(pid);
    if (stat === undefined || stat.state === 'Z') return [];
    const of = (variable: string) =>
      new RegExp(`(?:^|\\0)${variable}=([^\\0]*)`).exec(environment)?.[1] ?? '';
    const { parent, started } = stat;
    return [{ pid, parent, started, worker: of('LEGION_WORKER'), attempt: Number(of('LEGION_ATTEMPT')) }];
  });
  // A process that an agent has just forked is its image until it becomes something else.
  const agents = new Set(seen.map(({ pid }) => pid));
  return seen.filter(({ parent }) => !agents.has(parent));
}

/** Runners: each waits for one agent and writes its end down. */
export function runnersOf(state: string): readonly SeenRunner[] {
  return pids().flatMap((pid): SeenRunner[] => {
    const words = wordsOf(pid);
    const folder = words[words.indexOf('legion-runner') + 1] ?? '';
    const [attempt, worker = ''] = folder.split('/').toReversed();
    return words.includes('legion-runner') && folder.startsWith(`${state}/`)
      ? [{ pid, worker, attempt: Number(attempt) }]
      : [];
  });
}

/** Workers that are there twice, be it as two attempts or as one that was started two times. */
export function overlapping(workers: readonly SeenWorker[]): readonly (readonly SeenWorker[])[] {
  return [...Map.groupBy(workers, ({ worker }) => worker).values()].filter((each) => each.length > 1);
}

/** Whether the same process is still there. */
export function isStill({ pid, started }: Pick<SeenWorker, 'pid' | 'started'>): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.started === started;
}

export function isThere(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z';
}

/** Ends whatever was started with this folder in its environment or command line, also what comes up meanwhile. */
export async function endAllOf(folder: string): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet += 1) {
    for (const pid of pids().filter((each) => each !== process.pid && isOf(each, folder))) {
      quiet = 0;
      end(pid);
    }
    await sleep(END_LOOK_MS);
  }
}

/** A process that was being started when the others ended shows itself within the second look. */
const QUIET_LOOKS = 3;
const END_LOOK_MS = 50;

export function end(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // it ended by itself meanwhile
  }
}

function isOf(pid: number, folder: string): boolean {
  const isNamed =
    read(`/proc/${pid}/environ`)?.includes(`=${folder}`) ||
    read(`/proc/${pid}/cmdline`)?.includes(`${folder}/`);
  return isNamed === true && isThere(pid);
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function wordsOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
}

/** T is stopped by a signal, Z has ended. */
export function statOf(pid: number): { state: string; parent: number; started: string } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold anything, also blanks; what is counted begins after it.
  const [state = '', parent = '', ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return stat === undefined ? undefined : { state, parent: Number(parent), started: rest[17] ?? '' };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it has ended, or is somebody else's
  }
}
