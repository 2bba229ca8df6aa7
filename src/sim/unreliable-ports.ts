/**
 * Wraps a port for a daemon that can die or freeze: calls fail at random, and never return after
 * the daemon's death.
 */
import { createPortError, type FaultInjector, type PortName } from './faults.ts';

export interface UnreliablePortOptions {
  readonly daemon: DaemonProcess;
  readonly faults: FaultInjector;
  readonly port: PortName;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Waits for the duration of a call. Absent if calls take no time. */
  readonly delay?: () => Promise<void>;
  /** Called for every write when it is sent. */
  readonly onWrite: (method: string) => void;
}

type PortMethod = (...args: unknown[]) => unknown;

/**
 * Wraps each method once instead of on every access, because ports are called a hundred thousand
 * times in a run.
 */
export function wrapUnreliablePort<T extends object>(target: T, options: UnreliablePortOptions): T {
  const wrapped = Object.entries(target).map(([name, member]) => [
    name,
    wrapPortMember(name, member, options),
  ]);
  return Object.fromEntries(wrapped) as T;
}

function wrapPortMember(name: string, member: unknown, options: UnreliablePortOptions): unknown {
  if (typeof member !== 'function') return member;
  const method = member as PortMethod;
  const { daemon: daemonProcess, reads, writes } = options;
  if (reads.includes(name))
    return (...args: unknown[]) => callPortMethod(method, args, name, 'read', options);
  if (writes.includes(name))
    return (...args: unknown[]) => callPortMethod(method, args, name, 'write', options);
  return (...args: unknown[]) =>
    method(
      ...args.map((each) =>
        typeof each === 'function' ? wrapListener(each as PortMethod, daemonProcess) : each,
      ),
    );
}

/**
 * A call in flight when the machine freezes still takes effect. The daemon gets the result when it
 * resumes.
 */
async function callPortMethod(
  method: PortMethod,
  args: unknown[],
  name: string,
  kind: 'read' | 'write',
  { daemon: daemonProcess, faults, port, delay, onWrite }: UnreliablePortOptions,
): Promise<unknown> {
  if (!daemonProcess.isAlive) return waitForever();
  if (kind === 'write') onWrite(name);
  try {
    if (delay !== undefined) await delay();
    const outcome = daemonProcess.isAlive ? faults.drawCallOutcome(port, kind) : 'crash before';
    if (outcome === 'crash before') daemonProcess.kill();
    if (!daemonProcess.isAlive) return await waitForever();
    if (outcome === 'refused' || outcome === 'disk full') throw createPortError(port, name, outcome);
    const result = await method(...args);
    if (outcome === 'crash after') daemonProcess.kill();
    if (outcome === 'done but refused') throw createPortError(port, name, outcome);
    return result;
  } finally {
    if (daemonProcess.frozen !== undefined) await daemonProcess.frozen;
    if (!daemonProcess.isAlive) await waitForever();
  }
}

/**
 * Wraps a listener of a daemon: a dead daemon receives nothing, and a frozen one receives the call
 * when it resumes.
 */
export function wrapListener<G extends unknown[]>(
  listener: (...args: G) => unknown,
  daemonProcess: DaemonProcess,
): (...args: G) => void {
  const deliver = (...args: G): void => {
    if (daemonProcess.frozen !== undefined) void daemonProcess.frozen.then(() => deliver(...args));
    else if (daemonProcess.isAlive) listener(...args);
  };
  return deliver;
}

/** Never resolves. Used for code of a dead process. */
export function waitForever(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Models the process of one daemon. It can be killed, or frozen with its machine and resumed
 * without noticing.
 */
export class DaemonProcess {
  readonly #onDeath: () => void;
  #isAlive = true;
  #thawing: PromiseWithResolvers<void> | undefined;
  readonly #leaving = Promise.withResolvers<void>();

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Resolves when the daemon resumes. Undefined while it is not frozen. */
  get frozen(): Promise<void> | undefined {
    return this.#thawing?.promise;
  }

  /** Resolves when a successor should start, because the daemon is dead or presumed dead. */
  get needsSuccessor(): Promise<void> {
    return this.#leaving.promise;
  }

  /** Kills the process immediately. */
  kill(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    this.#onDeath();
    this.#leaving.resolve();
  }

  freeze(): void {
    this.#thawing ??= Promise.withResolvers();
  }

  resume(): void {
    this.#thawing?.resolve();
    this.#thawing = undefined;
  }

  /** Presumes a frozen daemon dead, so that a successor starts. The daemon may still resume. */
  giveUp(): void {
    if (this.#thawing !== undefined) this.#leaving.resolve();
  }
}
