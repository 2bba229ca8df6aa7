/** How the daemon is: who leads, who works, whether workers may start, and what is wrong. */
import { isLive, isWaiting, lifecycleOf } from '../../domain/lifecycle.ts';
import { MODES } from '../../domain/mode.ts';
import type { HealthView } from '../../protocol/operator.ts';
import { stoppingWorkers } from '../../swarm/stopping.ts';
import { presentWorkers } from '../../swarm/workers.ts';
import type { World } from '../world.ts';
import { describeDay } from './day-budget.ts';

export interface DaemonInfo {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
}

export function healthOf(world: World, info: DaemonInfo): HealthView {
  const { legionId, ledger, tracker, repositories, host, agents, preflight } = world;
  const { swarm, epoch, version } = ledger;
  const { places, autoAdvance, budgets, health } = world.settings();
  const states = presentWorkers(swarm).map(([, { facts }]) => lifecycleOf(facts));
  const troubles = world.troubles.list();
  const budget = tracker.budget?.();
  return {
    ok: troubles.length === 0,
    legion: legionId,
    ...info,
    epoch,
    journalVersion: version,
    backend: tracker.kind,
    forge: repositories.all[0]?.forge.kind ?? 'local',
    host: host.name,
    workers: {
      live: states.filter(isLive).length,
      waiting: states.filter(isWaiting).length,
      stopping: stoppingWorkers(swarm, health).length,
      limit: places.workers,
    },
    starts: swarm.breaker.open === undefined ? { allowed: true } : { allowed: false, ...swarm.breaker.open },
    autoAdvance,
    ...(budget === undefined ? {} : { budget: { ...budget } }),
    budgets: { worker: { ...budgets.worker }, issue: { ...budgets.issue } },
    day: describeDay(world),
    scripted: MODES.some((mode) => agents.choicesFor(mode).some(({ agent }) => agent === 'scripted')),
    troubles: troubles.map(({ code, message, next, since }) => ({ code, message, next, since })),
    baselines: preflight.running()?.map((each) => ({ ...each })),
    notices: preflight.notices().map((each) => ({ ...each })),
  };
}
