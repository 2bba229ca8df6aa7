/**
 * Simulates a machine in memory: processes that outlive every daemon, their output, exits and
 * signals.
 */
import { LegionError } from '../core/model/fault.ts';
import type { WorkerId } from '../core/model/ids.ts';
import type { Host, NewProcess, ProcessExit, ProcessIdentity, ProcessObservation } from '../ports/host.ts';
import type { FaultInjector, ProcessSource } from './faults.ts';
import type { SimTime } from './time.ts';

export interface SimProcess extends ProcessIdentity {
  readonly order: NewProcess;
  readonly startedAt: number;
  exit: ProcessExit | undefined;
  /** CPU time used before the current busy period, and the start of that period. */
  cpuMs: number;
  busySince: number | undefined;
  text: string;
  /** Reaction to SIGTERM. Does nothing if the process ignores it. */
  onTerm: () => void;
  /** Reaction to a worker message with this file name. */
  onMessage: (name: string) => void;
  /** Whether the process does its work and would continue if left alone. */
  isHealthy: boolean;
}

export interface SimHost extends Host {
  readonly processes: readonly SimProcess[];
  /** Whether the disk has space for one more worker. */
  hasDiskSpace: boolean;
  write(process: SimProcess, line: object): void;
  end(process: SimProcess, exit: Pick<ProcessExit, 'code' | 'signal'>): void;
}

export interface SimHostOptions {
  readonly time: SimTime;
  /** Starts the simulated behaviour of a new process. */
  readonly play: (process: SimProcess) => void;
  readonly onSignalled: (process: SimProcess, signal: 'TERM' | 'KILL') => void;
  readonly faults: Pick<FaultInjector, 'drawHiddenSource' | 'drawHidden' | 'isBlind'>;
}

const FREE_RESOURCES = { freeDiskBytes: 1e12, freeMemoryBytes: 1e11 };
const EXHAUSTED_RESOURCES = { freeDiskBytes: 0, freeMemoryBytes: 1e11 };
const INITIAL_PID = 1_000;
/** A kill takes effect quickly, but not in the same instant. */
const DYING_MS = 5;

export function createSimHost({ time, play, onSignalled, faults }: SimHostOptions): SimHost {
  const processes: SimProcess[] = [];
  const byKey = new Map<string, SimProcess>();
  const watchers = new Map<string, Set<() => void>>();
  const toKey = (worker: WorkerId, attempt: number) => `${worker}/${attempt}`;
  const findByKey = (worker: WorkerId, attempt: number) => byKey.get(toKey(worker, attempt));
  const findByIdentity = ({ pid, startTime }: { pid: number; startTime: string }) => {
    const process = processes[pid - INITIAL_PID];
    return process?.startTime === startTime ? process : undefined;
  };

  function notify({ order }: SimProcess): void {
    for (const watcher of watchers.get(toKey(order.worker, order.attempt)) ?? []) watcher();
  }
  function end(process: SimProcess, { code, signal }: Pick<ProcessExit, 'code' | 'signal'>): void {
    if (process.exit !== undefined) return;
    process.exit = { code, signal, at: time.now() };
    process.cpuMs = computeCpuMs(process);
    process.busySince = undefined;
    notify(process);
  }
  function computeCpuMs({ cpuMs, busySince }: SimProcess): number {
    return busySince === undefined ? cpuMs : cpuMs + (time.elapsed - busySince);
  }
  function observe(process: SimProcess): ProcessObservation {
    const hidden = faults.drawHiddenSource();
    const hideIfUnreadable = <T>(source: ProcessSource, value: T) =>
      hidden === source || hidden === 'all' ? { unavailable: 'it could not be read' } : value;
    return {
      alive: hideIfUnreadable('alive', process.exit === undefined),
      exit: hideIfUnreadable('exit', process.exit ?? 'none'),
      groupCpuMs: hideIfUnreadable('cpu', computeCpuMs(process)),
      children: hideIfUnreadable('children', { count: 0, newestAt: 'none' }),
      output: hideIfUnreadable('output', { bytes: process.text.length, overflowed: false }),
    };
  }

  const host: SimHost = {
    name: 'sim',
    processes,
    hasDiskSpace: true,
    end,
    write(process, line) {
      process.text += `${JSON.stringify(line)}\n`;
      notify(process);
    },
    async start(order) {
      const existing = findByKey(order.worker, order.attempt);
      if (existing !== undefined) return existing;
      const process: SimProcess = {
        pid: INITIAL_PID + processes.length,
        startTime: `boot/${processes.length}`,
        order,
        marker: `sim/${order.worker}/${order.attempt}`,
        startedAt: time.elapsed,
        exit: undefined,
        cpuMs: 0,
        busySince: undefined,
        text: '',
        onTerm: () => end(process, { code: null, signal: 'SIGTERM' }),
        onMessage: () => undefined,
        isHealthy: true,
      };
      processes.push(process);
      byKey.set(toKey(order.worker, order.attempt), process);
      play(process);
      return process;
    },
    async adopt(only) {
      if (faults.isBlind) throw new LegionError('host.unavailable', 'processes cannot be listed');
      return processes
        .filter(({ exit, order }) => exit === undefined && (only === undefined || order.worker === only))
        .map(({ pid, startTime, marker, order: { worker, attempt } }) => ({
          pid,
          startTime,
          marker,
          worker,
          attempt,
          role: 'agent',
        }));
    },
    async observe(identity) {
      const process = findByIdentity(identity);
      return process === undefined
        ? { ...observe(UNKNOWN_PROCESS), exit: { unavailable: 'the process is unknown' } }
        : observe(process);
    },
    async *output(worker, attempt, offset) {
      // Simulated agents write ASCII, so the length is also the number of bytes.
      const text = findByKey(worker, attempt)?.text ?? '';
      if (text.length > offset) yield { text: text.slice(offset), nextOffset: text.length };
    },
    async findLineNearEnd(worker, attempt, bytes) {
      const text = findByKey(worker, attempt)?.text ?? '';
      const from = Math.max(0, text.length - bytes);
      const before = from === 0 ? -1 : text.slice(0, -1).indexOf('\n', from - 1);
      return before === -1 ? from : before + 1;
    },
    watch(worker, attempt, listener) {
      const name = toKey(worker, attempt);
      const listening = watchers.get(name) ?? new Set();
      watchers.set(name, listening.add(listener));
      return () => listening.delete(listener);
    },
    async deliver(worker, attempt, name) {
      const process = findByKey(worker, attempt);
      if (process?.exit === undefined) process?.onMessage(name);
    },
    async signal(identity, signal) {
      if (faults.drawHidden('identity')) return 'unavailable';
      const process = findByIdentity(identity);
      if (process === undefined || process.exit !== undefined) return 'gone';
      onSignalled(process, signal);
      if (signal === 'KILL') time.after(DYING_MS, () => end(process, { code: null, signal: 'SIGKILL' }));
      else time.after(DYING_MS, process.onTerm);
      return 'sent';
    },
    forget: async () => undefined,
    readCapacity: async () =>
      faults.drawHidden('room') ? 'unavailable' : host.hasDiskSpace ? FREE_RESOURCES : EXHAUSTED_RESOURCES,
  };
  return host;
}

const UNKNOWN_PROCESS: SimProcess = {
  pid: 0,
  startTime: '',
  marker: '',
  startedAt: 0,
  cpuMs: 0,
  busySince: undefined,
  text: '',
  order: { worker: '', attempt: 0, argv: [''], cwd: '', env: {}, stdin: '' },
  exit: { code: null, signal: null, at: 0 },
  onTerm: () => undefined,
  onMessage: () => undefined,
  isHealthy: false,
};
