/** Many deaths at once stop all starts until the host is well again; a person's pause is never ended by this. */

import { type BreakerState, breaker, type Check, type Crash } from '../../core/health/breaker.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Swarm } from '../../core/state/state.ts';
import { failingWorkers } from '../../swarm/workers.ts';
import type { World } from '../world.ts';
import { agentsReady } from './agents-ready.ts';

/** The least free disk and memory of a healthy host where the operator says nothing. */
const LEAST_FREE_BYTES = 64 * 1_024 * 1_024;

type Checks = NonNullable<Extract<BreakerState, { state: 'open' }>['checks']>;

export class BreakerWatch {
  readonly #world: World;
  #closedAt: number | undefined;
  #wasOpen = false;
  #checks: Checks | undefined;
  #alerted = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Resolves to when to look again, if time alone may change something. */
  async round(): Promise<number | undefined> {
    const { ledger, clock, settings, troubles } = this.#world;
    const { open, serial } = ledger.swarm.breaker;
    if (open !== undefined && open.kind !== 'deaths') return undefined;
    // Whoever closed it has answered the crashes before: they must not open it again.
    if (this.#wasOpen && open === undefined) {
      this.#closedAt = clock.now();
      troubles.clear('starts');
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
    const step = breaker(state, crashesIn(ledger.swarm), clock.now(), settings().health);
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
        troubles.raise('starts', new LegionError('worker.no_capacity', step.why));
        return clock.now();
      case 'hold':
        return step.lookAgainAt;
      case 'close':
        await ledger.append([{ type: 'breaker.closed', breaker: serial, by: 'host checks' }]);
        this.#world.wake();
        return clock.now();
    }
  }

  async #check(): Promise<Checks> {
    const { host, settings, clock } = this.#world;
    const room = await host.room();
    const { diskBytes, memoryBytes } = settings().room;
    const enough = (free: number, least: number): Check =>
      free >= Math.max(least, LEAST_FREE_BYTES) ? 'ok' : 'bad';
    const [disk, memory] =
      room === 'unavailable'
        ? (['unavailable', 'unavailable'] as const)
        : [enough(room.freeDiskBytes, diskBytes), enough(room.freeMemoryBytes, memoryBytes)];
    const credentials = await agentsReady(this.#world);
    return { at: clock.now(), disk, memory, credentials };
  }
}

function crashesIn(swarm: Swarm): Crash[] {
  return failingWorkers(swarm).flatMap(([worker, { failedLives }]) =>
    failedLives.map(({ crashedAt }, life) => ({ worker, attempt: life + 1, at: crashedAt })),
  );
}
