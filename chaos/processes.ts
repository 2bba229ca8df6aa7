/**
 * Observes a legion's processes through the kernel's lists, independently of Legion's own records.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SeenWorker {
  readonly pid: number;
  readonly parent: number;
  /** Start time in ticks since boot. Together with the pid it identifies one process uniquely. */
  readonly started: string;
  readonly worker: string;
  readonly attempt: number;
}

export interface SeenRunner {
  readonly pid: number;
  readonly worker: string;
  readonly attempt: number;
}

/**
 * Returns the agents of the legion with this state directory. Children of the agents are not
 * included.
 */
export function listWorkers(state: string, decoys: ReadonlySet<number>): readonly SeenWorker[] {
  const seen = listPids().flatMap((pid): SeenWorker[] => {
    const environment = decoys.has(pid) ? undefined : read(`/proc/${pid}/environ`);
    if (environment === undefined || !environment.includes(`LEGION_STATE=${state}\0`)) return [];
    // The runner shares its worker's environment, so the agent is identified by its command line.
    const words = readCommandLine(pid);
    if (!words.includes('scripted') || words.includes('legion-runner')) return [];
    const stat = readProcessStat(pid);
    if (stat === undefined || stat.state === 'Z') return [];
    const of = (variable: string) =>
      new RegExp(`(?:^|\\0)${variable}=([^\\0]*)`).exec(environment)?.[1] ?? '';
    const { parent, started } = stat;
    return [{ pid, parent, started, worker: of('LEGION_WORKER'), attempt: Number(of('LEGION_ATTEMPT')) }];
  });
  // Excludes the children of agents: a child that an agent has just forked looks like the agent
  // until it calls exec.
  const agents = new Set(seen.map(({ pid }) => pid));
  return seen.filter(({ parent }) => !agents.has(parent));
}

/** Returns the runners. Each waits for one agent and records its exit. */
export function listRunners(state: string): readonly SeenRunner[] {
  return listPids().flatMap((pid): SeenRunner[] => {
    const words = readCommandLine(pid);
    const folder = words[words.indexOf('legion-runner') + 1] ?? '';
    const [attempt, worker = ''] = folder.split('/').toReversed();
    return words.includes('legion-runner') && folder.startsWith(`${state}/`)
      ? [{ pid, worker, attempt: Number(attempt) }]
      : [];
  });
}

/**
 * Returns workers that are running twice, either as two attempts or as one attempt started twice.
 */
export function findOverlappingWorkers(workers: readonly SeenWorker[]): readonly (readonly SeenWorker[])[] {
  return [...Map.groupBy(workers, ({ worker }) => worker).values()].filter((each) => each.length > 1);
}

/** Returns whether the same process is still running. */
export function isStill({ pid, started }: Pick<SeenWorker, 'pid' | 'started'>): boolean {
  const stat = readProcessStat(pid);
  return stat !== undefined && stat.state !== 'Z' && stat.started === started;
}

export function isThere(pid: number): boolean {
  const stat = readProcessStat(pid);
  return stat !== undefined && stat.state !== 'Z';
}

/**
 * Kills every process with this directory in its environment or command line, including those that
 * start during the call.
 */
export async function killAllIn(folder: string): Promise<void> {
  for (let quiet = 0; quiet < QUIET_POLLS; quiet += 1) {
    for (const pid of listPids().filter((each) => each !== process.pid && isOf(each, folder))) {
      quiet = 0;
      killProcess(pid);
    }
    await sleep(END_POLL_MS);
  }
}

/**
 * After this many consecutive checks without a process, all are considered killed. A process that
 * was starting during the kills appears by the second check.
 */
const QUIET_POLLS = 3;
const END_POLL_MS = 50;

export function killProcess(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // the process exited by itself
  }
}

function isOf(pid: number, folder: string): boolean {
  const isNamed =
    read(`/proc/${pid}/environ`)?.includes(`=${folder}`) ||
    read(`/proc/${pid}/cmdline`)?.includes(`${folder}/`);
  return isNamed === true && isThere(pid);
}

function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readCommandLine(pid: number): readonly string[] {
  return read(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
}

/**
 * Returns undefined if the process is gone or unreadable. State T means stopped by a signal, and Z
 * means exited.
 */
export function readProcessStat(pid: number): { state: string; parent: number; started: string } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name is in parentheses and may contain anything, even spaces, so the fields are counted
  // from its end.
  const [state = '', parent = '', ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return stat === undefined ? undefined : { state, parent: Number(parent), started: rest[17] ?? '' };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // the process has exited or belongs to another user
  }
}
