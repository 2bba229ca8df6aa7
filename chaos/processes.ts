/** What an outside observer sees of a legion's workers: the kernel's own lists, and nothing that Legion says. */
import { readdirSync, readFileSync } from 'node:fs';

export interface SeenWorker {
  readonly pid: number;
  readonly worker: string;
  readonly attempt: number;
}

/** Agents of the legion whose state lies in this folder; not what they have started themselves. */
export function workersOf(state: string): readonly SeenWorker[] {
  return readdirSync('/proc').flatMap((name): SeenWorker[] => {
    if (!/^\d+$/.test(name)) return [];
    const environment = read(`/proc/${name}/environ`);
    if (environment === undefined || !environment.includes(`LEGION_STATE=${state}\0`)) return [];
    // The runner has the environment of its worker as well; the agent is the one that plays.
    const line = read(`/proc/${name}/cmdline`)?.split('\0') ?? [];
    if (!line.includes('scripted') || line.some((word) => word === 'legion-runner')) return [];
    if (stateOf(name) === 'Z') return [];
    const of = (variable: string) =>
      new RegExp(`(?:^|\\0)${variable}=([^\\0]*)`).exec(environment)?.[1] ?? '';
    return [{ pid: Number(name), worker: of('LEGION_WORKER'), attempt: Number(of('LEGION_ATTEMPT')) }];
  });
}

/** Runners: each waits for one agent and writes its end down. */
export function runnersOf(state: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const words = read(`/proc/${name}/cmdline`)?.split('\0') ?? [];
      return words.includes('legion-runner') && words.some((word) => word.startsWith(`${state}/`));
    })
    .map(Number);
}

/** Workers of which two attempts are there at once. */
export function overlapping(workers: readonly SeenWorker[]): readonly string[] {
  const attempts = Map.groupBy(workers, ({ worker }) => worker);
  return [...attempts].flatMap(([worker, each]) => {
    const distinct = [...new Set(each.map(({ attempt }) => attempt))];
    return distinct.length > 1 ? [`${worker}: attempts ${distinct.join(' and ')}`] : [];
  });
}

export function isThere(pid: number): boolean {
  const state = stateOf(String(pid));
  return state !== undefined && state !== 'Z';
}

function stateOf(pid: string): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).charAt(0);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it has ended, or is somebody else's
  }
}
