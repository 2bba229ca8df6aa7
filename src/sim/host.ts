/** A machine in memory: processes that outlive every daemon, what they write, how they end, and who signals them. */
import { LegionError } from '../core/model/fault.ts';
import type { WorkerId } from '../core/model/ids.ts';
import type { Host, NewProcess, ProcessExit, ProcessIdentity, ProcessObservation } from '../hosts/host.ts';
import type { Faults, Source } from './faults.ts';
import type { Time } from './time.ts';

export interface SimProcess extends ProcessIdentity {
  readonly order: NewProcess;
  readonly startedAt: number;
  exit: ProcessExit | undefined;
  /** CPU time it has used up to `busySince`, and since when it uses the processor. */
  cpuMs: number;
  busySince: number | undefined;
  text: string;
  /** What it does when it is asked to leave; nothing where it does not listen. */
  onTerm: () => void;
  /** Whether it does its work, and would go on doing it if it were left alone. */
  isHealthy: boolean;
}

export interface SimHost extends Host {
  readonly processes: readonly SimProcess[];
  /** Whether the disk has room for one more worker. */
  hasRoom: boolean;
  write(process: SimProcess, line: object): void;
  end(process: SimProcess, exit: Pick<ProcessExit, 'code' | 'signal'>): void;
}

export interface HostOptions {
  readonly time: Time;
  /** Begins what the process does. */
  readonly play: (process: SimProcess) => void;
  readonly signalled: (process: SimProcess, signal: 'TERM' | 'KILL') => void;
  readonly faults: Pick<Faults, 'hidden' | 'hides' | 'isBlind'>;
}

const ROOM = { freeDiskBytes: 1e12, freeMemoryBytes: 1e11 };
const NO_ROOM = { freeDiskBytes: 0, freeMemoryBytes: 1e11 };
const FIRST_PID = 1_000;
/** A kill is felt at once, but not in the same instant. */
const DYING_MS = 5;

export function simHost({ time, play, signalled, faults }: HostOptions): SimHost {
  const processes: SimProcess[] = [];
  const named = new Map<string, SimProcess>();
  const watchers = new Map<string, Set<() => void>>();
  const nameOf = (worker: WorkerId, attempt: number) => `${worker}/${attempt}`;
  const byName = (worker: WorkerId, attempt: number) => named.get(nameOf(worker, attempt));
  const byIdentity = ({ pid, startTime }: { pid: number; startTime: string }) => {
    const found = processes[pid - FIRST_PID];
    return found?.startTime === startTime ? found : undefined;
  };

  function changed({ order }: SimProcess): void {
    for (const watcher of watchers.get(nameOf(order.worker, order.attempt)) ?? []) watcher();
  }
  function end(process: SimProcess, { code, signal }: Pick<ProcessExit, 'code' | 'signal'>): void {
    if (process.exit !== undefined) return;
    process.exit = { code, signal, at: time.now() };
    process.cpuMs = cpuOf(process);
    process.busySince = undefined;
    changed(process);
  }
  function cpuOf({ cpuMs, busySince }: SimProcess): number {
    return busySince === undefined ? cpuMs : cpuMs + (time.elapsed - busySince);
  }
  function seen(process: SimProcess): ProcessObservation {
    const hidden = faults.hidden();
    const unless = <T>(source: Source, value: T) =>
      hidden === source || hidden === 'all' ? { unavailable: 'it could not be read' } : value;
    return {
      alive: unless('alive', process.exit === undefined),
      exit: unless('exit', process.exit ?? 'none'),
      groupCpuMs: unless('cpu', cpuOf(process)),
      children: unless('children', { count: 0, newestAt: 'none' }),
      output: unless('output', { bytes: process.text.length, overflowed: false }),
    };
  }

  const host: SimHost = {
    name: 'sim',
    processes,
    hasRoom: true,
    end,
    write(process, line) {
      process.text += `${JSON.stringify(line)}\n`;
      changed(process);
    },
    async start(order) {
      const same = byName(order.worker, order.attempt);
      if (same !== undefined) return same;
      const process: SimProcess = {
        ...{ pid: FIRST_PID + processes.length, startTime: `boot/${processes.length}`, order },
        marker: `sim/${order.worker}/${order.attempt}`,
        ...{ startedAt: time.elapsed, exit: undefined, cpuMs: 0, busySince: undefined, text: '' },
        onTerm: () => end(process, { code: null, signal: 'SIGTERM' }),
        isHealthy: true,
      };
      processes.push(process);
      named.set(nameOf(order.worker, order.attempt), process);
      play(process);
      return process;
    },
    async adopt(only) {
      if (faults.isBlind) throw new LegionError('host.unavailable', 'processes cannot be listed');
      return processes
        .filter(({ exit, order }) => exit === undefined && (only === undefined || order.worker === only))
        .map(({ pid, startTime, marker, order: { worker, attempt } }) => ({
          ...{ pid, startTime, marker, worker, attempt },
          role: 'agent',
        }));
    },
    async observe(identity) {
      const process = byIdentity(identity);
      return process === undefined
        ? { ...seen(NOBODY), exit: { unavailable: 'nobody has heard of it' } }
        : seen(process);
    },
    async *output(worker, attempt, offset) {
      // What simulated agents write is ASCII: its length is its length in bytes.
      const text = byName(worker, attempt)?.text ?? '';
      if (text.length > offset) yield { text: text.slice(offset), nextOffset: text.length };
    },
    async lineNearEnd(worker, attempt, bytes) {
      const text = byName(worker, attempt)?.text ?? '';
      const from = Math.max(0, text.length - bytes);
      const before = from === 0 ? -1 : text.slice(0, -1).indexOf('\n', from - 1);
      return before === -1 ? from : before + 1;
    },
    watch(worker, attempt, listener) {
      const name = nameOf(worker, attempt);
      const listening = watchers.get(name) ?? new Set();
      watchers.set(name, listening.add(listener));
      return () => listening.delete(listener);
    },
    // Simulated agents end with their turn: what is said to them meanwhile begins the next one.
    deliver: async () => undefined,
    async signal(identity, signal) {
      if (faults.hides('identity')) return 'unavailable';
      const process = byIdentity(identity);
      if (process === undefined || process.exit !== undefined) return 'gone';
      signalled(process, signal);
      if (signal === 'KILL') time.after(DYING_MS, () => end(process, { code: null, signal: 'SIGKILL' }));
      else time.after(DYING_MS, process.onTerm);
      return 'sent';
    },
    forget: async () => undefined,
    room: async () => (faults.hides('room') ? 'unavailable' : host.hasRoom ? ROOM : NO_ROOM),
  };
  return host;
}

const NOBODY: SimProcess = {
  ...{ pid: 0, startTime: '', marker: '', startedAt: 0, cpuMs: 0, busySince: undefined, text: '' },
  order: { worker: '', attempt: 0, argv: [''], cwd: '', env: {}, stdin: '' },
  ...{ exit: { code: null, signal: null, at: 0 }, onTerm: () => undefined, isHealthy: false },
};
