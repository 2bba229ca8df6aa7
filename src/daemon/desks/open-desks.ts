/** Every desk of the daemon but the workers' own speech. */
import type { Control } from '../control.ts';
import type { Daemon } from '../daemon.ts';
import type { World } from '../world.ts';
import { dashboardDesk } from './dashboard-desk.ts';
import { eventsDesk } from './events-desk.ts';
import { type DaemonInfo, healthOf } from './health.ts';
import { issuesDesk } from './issues-desk.ts';
import { openMetrics } from './metrics/metrics.ts';
import { operatorDesk } from './operator-desk.ts';
import { sessionOf } from './session.ts';
import { type Receivers, webhooksDesk } from './webhooks-desk.ts';
import { workersDesk } from './workers-desk.ts';

type Desks = Pick<
  Daemon,
  'health' | 'session' | 'issues' | 'workers' | 'operator' | 'dashboard' | 'events' | 'webhooks' | 'metrics'
>;

export function openDesks(
  world: World,
  control: Control,
  info: DaemonInfo,
  receivers: Receivers = {},
): Desks {
  const operator = operatorDesk(world, control, info);
  return {
    health: () => healthOf(world, info),
    session: () => sessionOf(world),
    issues: issuesDesk(world, control),
    workers: workersDesk(world, control),
    operator,
    dashboard: dashboardDesk(world, control),
    events: eventsDesk(world.ledger),
    webhooks: webhooksDesk(receivers),
    metrics: openMetrics(world, () => operator.inbox()),
  };
}
