/**
 * Stops all starts after many crashes until the host is healthy again. Never ends a person's pause.
 */

import {
  type BreakerState,
  decideBreakerStep,
  type HostCheckResult,
  type WorkerCrash,
} from '../../core/health/breaker.ts';
import { type AgentChoice, toQuotaKey } from '../../core/model/agent-choice.ts';
import { LegionError } from '../../core/model/fault.ts';
import { MODES, type Mode } from '../../core/model/mode.ts';
import type { LegionState } from '../../core/state/state.ts';
import { listFailingWorkers } from '../../core/state/workers.ts';
import type { DaemonContext, StateContext, WorkerContext } from '../context/daemon-context.ts';

/** Minimum free disk and memory of a healthy host if no limits are configured. */
const MIN_FREE_BYTES = 64 * 1_024 * 1_024;

type HostChecks = NonNullable<Extract<BreakerState, { state: 'open' }>['checks']>;

export class BreakerWatch {
  readonly #context: DaemonContext;
  #closedAt: number | undefined;
  #wasOpen = false;
  #checks: HostChecks | undefined;
  #alerted = false;

  constructor(context: DaemonContext) {
    this.#context = context;
  }

  /** Resolves to the time of the next check, if time alone may change something. */
  async runRound(): Promise<number | undefined> {
    const { ledger, clock, settings, problems } = this.#context;
    const { open, serial } = ledger.state.breaker;
    if (open !== undefined && open.kind !== 'deaths') return undefined;
    // Crashes from before the breaker was closed must not open it again.
    if (this.#wasOpen && open === undefined) {
      this.#closedAt = clock.now();
      problems.resolve('starts');
    }
    this.#wasOpen = open !== undefined;
    const state: BreakerState =
      open === undefined
        ? { state: 'closed', ...(this.#closedAt === undefined ? {} : { closedAt: this.#closedAt }) }
        : {
            state: 'open',
            since: open.since,
            isAlerted: this.#alerted,
            ...(this.#checks && { checks: this.#checks }),
          };
    const step = decideBreakerStep(state, listCrashes(ledger.state), clock.now(), settings().health);
    switch (step.step) {
      case 'allow_spawns':
        return undefined;
      case 'open':
        this.#alerted = false;
        this.#checks = undefined;
        await ledger.append([{ type: 'breaker.opened', breaker: serial + 1, why: step.why }]);
        return clock.now();
      case 'check_host':
        this.#checks = await this.#check();
        return clock.now();
      case 'alert':
        this.#alerted = true;
        problems.report('starts', new LegionError('worker.no_capacity', step.why));
        return clock.now();
      case 'hold':
        return step.lookAgainAt;
      case 'close':
        await ledger.append([{ type: 'breaker.closed', breaker: serial, by: 'host checks' }]);
        this.#context.wake();
        return clock.now();
    }
  }

  async #check(): Promise<HostChecks> {
    const { host, settings, clock } = this.#context;
    const capacity = await host.readCapacity();
    const { diskBytes, memoryBytes } = settings().requiredResources;
    const checkFree = (free: number, least: number): HostCheckResult =>
      free >= Math.max(least, MIN_FREE_BYTES) ? 'ok' : 'bad';
    const [disk, memory] =
      capacity === 'unavailable'
        ? (['unavailable', 'unavailable'] as const)
        : [checkFree(capacity.freeDiskBytes, diskBytes), checkFree(capacity.freeMemoryBytes, memoryBytes)];
    const credentials = await checkAgentsReady(this.#context);
    return { at: clock.now(), disk, memory, credentials };
  }
}

function listCrashes(state: LegionState): WorkerCrash[] {
  return listFailingWorkers(state).flatMap(([worker, { failedLives }]) =>
    failedLives.map(({ crashedAt }, life) => ({ worker, attempt: life + 1, at: crashedAt })),
  );
}

/**
 * Time limit of a check, which needs the network to verify the login. A check that takes longer is
 * inconclusive.
 */
const PREFLIGHT_MS = 30_000;

type AgentCheckContext = Pick<StateContext & WorkerContext, 'agents' | 'agentOf' | 'clock'>;

/**
 * Checks whether every mode has an agent that can work, that is, one with a program and a login.
 * The result is not cached, because something on this machine has just failed.
 */
export async function checkAgentsReady({
  agents,
  agentOf,
  clock,
}: AgentCheckContext): Promise<HostCheckResult> {
  const tooLong = new AbortController();
  const answered = new AbortController();
  clock.sleep(PREFLIGHT_MS, answered.signal).then(
    () => tooLong.abort(),
    () => undefined,
  );
  const asked = new Map<string, Promise<boolean>>();
  const isReady = (choice: AgentChoice, mode: Mode): Promise<boolean> => {
    const key = toQuotaKey(choice);
    const { agent, use } = agentOf({ mode, ...choice });
    const answer = asked.get(key) ?? agent.preflight(tooLong.signal, use).then(({ ready }) => ready);
    asked.set(key, answer);
    return answer;
  };
  try {
    const modes = await Promise.all(
      MODES.map(async (mode) => {
        const choices = await Promise.all(agents.choicesFor(mode).map((choice) => isReady(choice, mode)));
        return choices.includes(true);
      }),
    );
    return modes.every(Boolean) ? 'ok' : 'bad';
  } catch {
    return 'unavailable';
  } finally {
    answered.abort();
  }
}
