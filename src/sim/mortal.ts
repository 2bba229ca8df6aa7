/** A port as a daemon that can die or be frozen sees it: calls fail as the story has it, and after its death none ever returns. */
import { type Faults, type PortName, refusal } from './faults.ts';
import type { Life } from './life.ts';

export interface Mortality {
  readonly life: Life;
  readonly faults: Faults;
  readonly port: PortName;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** How long a call takes; absent where it takes no time. */
  readonly travel?: () => Promise<void>;
  /** Hears of every write at the moment it is sent. */
  readonly sent: (method: string) => void;
}

type Method = (...given: unknown[]) => unknown;

/** Its members are wrapped once: ports are called a hundred thousand times in a run. */
export function mortal<T extends object>(target: T, mortality: Mortality): T {
  const wrapped = Object.entries(target).map(([name, member]) => [name, memberOf(name, member, mortality)]);
  return Object.fromEntries(wrapped) as T;
}

function memberOf(name: string, member: unknown, mortality: Mortality): unknown {
  if (typeof member !== 'function') return member;
  const method = member as Method;
  const { life, reads, writes } = mortality;
  if (reads.includes(name)) return (...given: unknown[]) => called(method, given, name, 'read', mortality);
  if (writes.includes(name)) return (...given: unknown[]) => called(method, given, name, 'write', mortality);
  return (...given: unknown[]) =>
    method(...given.map((each) => (typeof each === 'function' ? heardBy(each as Method, life) : each)));
}

/** What is on its way when the machine is frozen takes place; the daemon learns of it when it goes on. */
async function called(
  method: Method,
  given: unknown[],
  name: string,
  kind: 'read' | 'write',
  { life, faults, port, travel, sent }: Mortality,
): Promise<unknown> {
  if (!life.isAlive) return never();
  if (kind === 'write') sent(name);
  try {
    if (travel !== undefined) await travel();
    const fate = life.isAlive ? faults.fateOf(port, kind) : 'crash before';
    if (fate === 'crash before') life.die();
    if (!life.isAlive) return await never();
    if (fate === 'refused' || fate === 'disk full') throw refusal(port, name, fate);
    const result = await method(...given);
    if (fate === 'crash after') life.die();
    if (fate === 'done but refused') throw refusal(port, name, fate);
    return result;
  } finally {
    if (life.frozen !== undefined) await life.frozen;
    if (!life.isAlive) await never();
  }
}

/** Whoever is dead hears nothing any more, and whoever is frozen hears it when it goes on. */
export function heardBy<G extends unknown[]>(
  listener: (...given: G) => unknown,
  life: Life,
): (...given: G) => void {
  const hear = (...given: G): void => {
    if (life.frozen !== undefined) void life.frozen.then(() => hear(...given));
    else if (life.isAlive) listener(...given);
  };
  return hear;
}

/** What a dead process waits for. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
