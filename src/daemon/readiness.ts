/** Knows of each agent in use whether it can work: its program and its login are there, and its model can be used. */
import type { Preflight } from '../agents/agent.ts';
import type { Clock } from '../domain/clock.ts';
import { LegionError } from '../domain/fault.ts';
import { type AgentChoice, nameOf, quotaKey, type Readiness } from '../swarm/choose-agent.ts';
import type { Troubles } from './troubles.ts';

/** A login is asked for over the network; what takes longer tells nothing. */
const PREFLIGHT_MS = 30_000;

/** A login that has gone is found by the next worker at the latest, so this is only for what nobody has tried lately. */
const READY_FOR_MS = 5 * 60_000;

/** Somebody is perhaps installing it at this moment, and work waits. */
const LOOK_AGAIN_MS = 15_000;

export interface ReadinessOptions {
  readonly clock: Clock;
  readonly troubles: Troubles;
  readonly preflight: (choice: AgentChoice, signal: AbortSignal) => Promise<Preflight>;
  /** An agent can work that could not, or the other way round. */
  readonly changed: () => void;
}

interface Known {
  readonly readiness: Readiness;
  readonly at: number;
}

export class AgentReadiness {
  readonly #options: ReadinessOptions;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** What is known now; where that is nothing, or old, it is being found out and `changed` is called. */
  of(choice: AgentChoice): Readiness {
    const known = this.#known.get(quotaKey(choice));
    const isOld = known === undefined || this.#options.clock.now() - known.at > READY_FOR_MS;
    if (isOld) void this.#ask(choice);
    return known?.readiness ?? 'unknown';
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#asking.values());
  }

  #ask(choice: AgentChoice): Promise<void> {
    const key = quotaKey(choice);
    const asking = this.#asking.get(key) ?? this.#askNow(choice).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Until it is ready or nobody wants to know any more: who waits for an agent is not to wait for a poll, too. */
  async #askNow(choice: AgentChoice): Promise<void> {
    const { clock, changed } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const before = this.#known.get(quotaKey(choice))?.readiness;
      const readiness = await this.#found(choice);
      if (signal.aborted) return;
      this.#known.set(quotaKey(choice), { readiness, at: clock.now() });
      this.#tell(choice, readiness);
      if (before === undefined || isReady(before) !== isReady(readiness)) changed();
      if (isReady(readiness)) return;
      await clock.sleep(LOOK_AGAIN_MS, signal).catch(() => undefined);
    }
  }

  async #found(choice: AgentChoice): Promise<Readiness> {
    const { preflight, clock } = this.#options;
    const answered = new AbortController();
    const tooLong = new AbortController();
    clock.sleep(PREFLIGHT_MS, answered.signal).then(
      () => tooLong.abort(),
      () => undefined,
    );
    try {
      const found = await preflight(choice, AbortSignal.any([tooLong.signal, this.#ended.signal]));
      return found.ready ? 'ready' : { problem: `${found.problem.replace(/\.?$/, '.')} ${found.next}` };
    } catch {
      // What could not be found out is no reason to keep everybody waiting; a worker that fails says more.
      return 'ready';
    } finally {
      answered.abort();
    }
  }

  #tell(choice: AgentChoice, readiness: Readiness): void {
    const what = `agent ${nameOf(choice)}`;
    if (typeof readiness === 'string') this.#options.troubles.clear(what);
    else
      this.#options.troubles.raise(
        what,
        new LegionError('agent.not_ready', `${nameOf(choice)}: ${readiness.problem}`),
      );
  }
}

function isReady(readiness: Readiness): boolean {
  return readiness === 'ready';
}
