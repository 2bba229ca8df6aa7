/** A port as a daemon that can die sees it: calls fail as the story has it, and after its death none ever returns. */
import { type Faults, type PortName, refusal } from './faults.ts';

export interface Life {
  readonly isAlive: boolean;
  /** The process is killed in this instant. */
  die(): void;
}

export interface Mortality {
  readonly life: Life;
  readonly faults: Faults;
  readonly port: PortName;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** How long a call takes. */
  readonly travel: () => Promise<void>;
}

type Method = (...given: unknown[]) => unknown;

export function mortal<T extends object>(target: T, mortality: Mortality): T {
  const { life, reads, writes } = mortality;
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== 'function') return member;
      const method = member.bind(of) as Method;
      const kind = reads.includes(String(name))
        ? 'read'
        : writes.includes(String(name))
          ? 'write'
          : undefined;
      if (kind !== undefined)
        return (...given: unknown[]) => called(method, given, String(name), kind, mortality);
      // Whoever is dead hears nothing any more.
      return (...given: unknown[]) => method(...given.map((each) => whileAlive(each, life)));
    },
  });
}

async function called(
  method: Method,
  given: unknown[],
  name: string,
  kind: 'read' | 'write',
  { life, faults, port, travel }: Mortality,
): Promise<unknown> {
  if (!life.isAlive) return never();
  await travel();
  const fate = life.isAlive ? faults.fateOf(port, kind) : 'crash before';
  if (fate === 'crash before') {
    life.die();
    return never();
  }
  if (fate === 'refused') throw refusal(port, name);
  const result = await method(...given);
  if (fate === 'crash after') life.die();
  if (!life.isAlive) return never();
  if (fate === 'done but refused') throw refusal(port, name);
  return result;
}

function whileAlive(given: unknown, life: Life): unknown {
  if (typeof given !== 'function') return given;
  return (...said: unknown[]) => (life.isAlive ? (given as Method)(...said) : undefined);
}

/** What a dead process waits for. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
