/** Every desk of the daemon but the workers' own speech. */

import { STATUSES } from '../../core/model/status.ts';
import type { SessionView } from '../../protocol/dashboard.ts';
import type { Control } from '../control.ts';
import type { Daemon } from '../daemon.ts';
import { issuesDesk } from '../services/issues.ts';
import type { World } from '../world.ts';
import { dashboardDesk } from './dashboard-desk.ts';
import { eventsDesk } from './events-desk.ts';
import { type DaemonInfo, healthOf } from './health.ts';
import { openMetrics } from './metrics/metrics.ts';
import { openRevertStates } from './operator/revert-states.ts';
import { operatorDesk } from './operator-desk.ts';
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
  const revertStates = openRevertStates(world);
  const operator = operatorDesk(world, control, info, revertStates);
  return {
    health: () => healthOf(world, info),
    session: () => sessionOf(world),
    issues: issuesDesk(world, control, revertStates),
    workers: workersDesk(world, control),
    operator,
    dashboard: dashboardDesk(world, control),
    events: eventsDesk(world.ledger),
    webhooks: webhooksDesk(receivers),
    metrics: openMetrics(world, () => operator.inbox()),
  };
}

/** What a page needs to know of the legion it shows, before it shows anything. */
function sessionOf({ legionId, tracker, board, settings }: World): SessionView {
  const { columns } = settings();
  return {
    legion: legionId,
    backend: tracker.kind,
    ownBoard: board !== undefined,
    // As it is written to the board, so far as the operator has named it; else its own name.
    statuses: STATUSES.map((status) => ({ status, column: columns[status]?.[0] ?? status })),
  };
}
