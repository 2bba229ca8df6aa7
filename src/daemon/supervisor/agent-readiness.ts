/** Knows of each agent in use whether it can work: its program and its login are there, and its model can be used. */

import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Preflight } from '../../ports/agent.ts';
import { type AgentChoice, nameOf, quotaKey, type Readiness } from '../../swarm/choose-agent.ts';
import type { Troubles } from '../troubles.ts';

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

/** A refused login that still looks fine is tried again after 1, 2, 4, 8, 10, 10 … min: only a worker can tell whether it is good. */
const INITIAL_RETRY_MS = 60_000;
const MAX_RETRY_MS = 10 * 60_000;
/** A refusal that long after the one before begins the series again. */
const FORGET_MS = 60 * 60_000;

interface Refusal {
  readonly readiness: Exclude<Readiness, string>;
  readonly tries: number;
  readonly at: number;
  readonly retryAt: number;
  /** The login was missing since: one that is there again is another one. */
  readonly wasMissing: boolean;
}

export class AgentReadiness {
  readonly #options: ReadinessOptions;
  readonly #known = new Map<string, { readonly readiness: Readiness; readonly at: number }>();
  readonly #refusals = new Map<string, Refusal>();
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

  /** A worker was refused by its provider: nobody starts with this agent until the login is there again, or may be worth a try. */
  refuse(choice: AgentChoice, says: string, next: string): void {
    const key = quotaKey(choice);
    const now = this.#options.clock.now();
    const before = this.#refusals.get(key);
    // Several workers of one agent are refused at once: that is one refusal.
    if (before !== undefined && now < before.retryAt) return;
    const tries = before === undefined || now - before.at > FORGET_MS ? 1 : before.tries + 1;
    const retryAt = now + Math.min(INITIAL_RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS);
    const readiness = { problem: `Its login was refused (${says.replace(/\.$/, '')}). ${next}`, next };
    this.#refusals.set(key, { readiness, tries, at: now, retryAt, wasMissing: false });
    this.#known.set(key, { readiness, at: now });
    this.#tell(choice, readiness);
    this.#options.changed();
    void this.#ask(choice);
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
      if (found.ready) return this.#afterRefusal(choice);
      this.#noteMissing(choice);
      return { problem: `${found.problem.replace(/\.?$/, '.')} ${found.next}`, next: found.next };
    } catch {
      // What could not be found out is no reason to keep everybody waiting; a worker that fails says more.
      return 'ready';
    } finally {
      answered.abort();
    }
  }

  #noteMissing(choice: AgentChoice): void {
    const key = quotaKey(choice);
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined) this.#refusals.set(key, { ...refusal, wasMissing: true });
  }

  #afterRefusal(choice: AgentChoice): Readiness {
    const key = quotaKey(choice);
    const refusal = this.#refusals.get(key);
    if (refusal?.wasMissing === true) this.#refusals.delete(key);
    const isHeld =
      refusal !== undefined && !refusal.wasMissing && this.#options.clock.now() < refusal.retryAt;
    return isHeld ? refusal.readiness : 'ready';
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
