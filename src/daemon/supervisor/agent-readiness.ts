/**
 * Tracks whether each configured agent can work: its program and login exist and its model is
 * usable.
 */

import {
  type AgentChoice,
  formatAgentChoice,
  type ReadinessState,
  toQuotaKey,
} from '../../core/model/agent-choice.ts';
import type { Clock } from '../../core/model/clock.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { PreflightResult } from '../../ports/agent.ts';
import type { ActiveProblems } from '../context/active-problems.ts';

/**
 * Time limit of a check, which needs the network to verify the login. A check that takes longer is
 * inconclusive.
 */
const PREFLIGHT_MS = 30_000;

/**
 * Time for which an agent is considered ready after a check. A starting worker notices a lost login
 * itself, so the check only matters for agents without recent workers.
 */
const READY_FOR_MS = 5 * 60_000;

/** Short, because an operator may be installing the agent while work is waiting. */
const RECHECK_INTERVAL_MS = 15_000;

export interface ReadinessOptions {
  readonly clock: Clock;
  readonly problems: ActiveProblems;
  readonly preflight: (choice: AgentChoice, signal: AbortSignal) => Promise<PreflightResult>;
  /** Called when an agent becomes able or unable to work. */
  readonly onChange: () => void;
}

/**
 * A login that was refused but still looks valid is retried after 1, 2, 4, 8, 10, 10 … min, because
 * only a worker can tell whether the login works.
 */
const INITIAL_RETRY_MS = 60_000;
const MAX_RETRY_MS = 10 * 60_000;
/** If a refusal comes this long after the previous one, the retry series starts again. */
const FORGET_MS = 60 * 60_000;

interface LoginRefusal {
  readonly readiness: Exclude<ReadinessState, string>;
  readonly tries: number;
  readonly at: number;
  readonly retryAt: number;
  /**
   * Whether the login was missing at any time since the refusal. If so, a login that is found later
   * is a new one.
   */
  readonly wasMissing: boolean;
}

export class AgentReadiness {
  readonly #options: ReadinessOptions;
  readonly #known = new Map<string, { readonly readiness: ReadinessState; readonly at: number }>();
  readonly #refusals = new Map<string, LoginRefusal>();
  readonly #asking = new Map<string, Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /**
   * Returns the known readiness. If it is missing or old, checks it in the background and calls
   * `onChange` if the agent becomes able or unable to work.
   */
  get(choice: AgentChoice): ReadinessState {
    const known = this.#known.get(toQuotaKey(choice));
    const isOld = known === undefined || this.#options.clock.now() - known.at > READY_FOR_MS;
    if (isOld) void this.#ask(choice);
    return known?.readiness ?? 'unknown';
  }

  /**
   * Records that the provider refused a worker's login. No worker starts with this agent until its
   * login is renewed or due for a retry.
   */
  refuse(choice: AgentChoice, message: string, next: string): void {
    const key = toQuotaKey(choice);
    const now = this.#options.clock.now();
    const before = this.#refusals.get(key);
    // If several workers of one agent are refused at the same time, that is treated as one refusal.
    if (before !== undefined && now < before.retryAt) return;
    const tries = before === undefined || now - before.at > FORGET_MS ? 1 : before.tries + 1;
    const retryAt = now + Math.min(INITIAL_RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS);
    const readiness = { problem: `Its login was refused (${message.replace(/\.$/, '')}). ${next}`, next };
    this.#refusals.set(key, { readiness, tries, at: now, retryAt, wasMissing: false });
    this.#known.set(key, { readiness, at: now });
    this.#reportReadiness(choice, readiness);
    this.#options.onChange();
    void this.#ask(choice);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#asking.values());
  }

  #ask(choice: AgentChoice): Promise<void> {
    const key = toQuotaKey(choice);
    const asking = this.#asking.get(key) ?? this.#askNow(choice).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /**
   * Checks the agent until it is ready, so that queued work can start without waiting for the next
   * poll.
   */
  async #askNow(choice: AgentChoice): Promise<void> {
    const { clock, onChange: changed } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      const before = this.#known.get(toQuotaKey(choice))?.readiness;
      const readiness = await this.#readReadiness(choice);
      if (signal.aborted) return;
      this.#known.set(toQuotaKey(choice), { readiness, at: clock.now() });
      this.#reportReadiness(choice, readiness);
      if (before === undefined || isReady(before) !== isReady(readiness)) changed();
      if (isReady(readiness)) return;
      await clock.sleep(RECHECK_INTERVAL_MS, signal).catch(() => undefined);
    }
  }

  async #readReadiness(choice: AgentChoice): Promise<ReadinessState> {
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
      // A failed check must not block all work, so the agent is assumed to be ready. If it is not,
      // its worker fails with a better error.
      return 'ready';
    } finally {
      answered.abort();
    }
  }

  #noteMissing(choice: AgentChoice): void {
    const key = toQuotaKey(choice);
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined) this.#refusals.set(key, { ...refusal, wasMissing: true });
  }

  #afterRefusal(choice: AgentChoice): ReadinessState {
    const key = toQuotaKey(choice);
    const refusal = this.#refusals.get(key);
    if (refusal?.wasMissing === true) this.#refusals.delete(key);
    const isHeld =
      refusal !== undefined && !refusal.wasMissing && this.#options.clock.now() < refusal.retryAt;
    return isHeld ? refusal.readiness : 'ready';
  }

  #reportReadiness(choice: AgentChoice, readiness: ReadinessState): void {
    const what = `agent ${formatAgentChoice(choice)}`;
    if (typeof readiness === 'string') this.#options.problems.resolve(what);
    else
      this.#options.problems.report(
        what,
        new LegionError('agent.not_ready', `${formatAgentChoice(choice)}: ${readiness.problem}`),
      );
  }
}

function isReady(readiness: ReadinessState): boolean {
  return readiness === 'ready';
}
