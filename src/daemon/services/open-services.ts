/** Opens all services of the daemon except the worker API. */

import { LegionError } from '../../core/model/fault.ts';
import { STATUSES } from '../../core/model/status.ts';
import type { SessionView } from '../../protocol/dashboard.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import type { Ledger } from '../context/ledger.ts';
import type { Daemon, EventService, WebhookReceivers } from '../daemon.ts';
import type { LoopControl } from '../loop/control.ts';
import { createDashboardService } from './dashboard/dashboard.ts';
import { buildHealthView, type DaemonInfo } from './health.ts';
import { createIssueService } from './issues.ts';
import { openMetrics } from './metrics.ts';
import { createOperatorService } from './operator/operator.ts';
import { openRevertStates } from './operator/reverts.ts';
import { createWorkerService } from './workers/workers.ts';

type DaemonServices = Pick<
  Daemon,
  'health' | 'session' | 'issues' | 'workers' | 'operator' | 'dashboard' | 'events' | 'webhooks' | 'metrics'
>;

export function openServices(
  context: DaemonContext,
  control: LoopControl,
  info: DaemonInfo,
  receivers: WebhookReceivers = {},
): DaemonServices {
  const revertStates = openRevertStates(context);
  const operator = createOperatorService(context, control, info, revertStates);
  return {
    health: () => buildHealthView(context, info),
    session: () => buildSessionView(context),
    issues: createIssueService(context, control, revertStates),
    workers: createWorkerService(context, control),
    operator,
    dashboard: createDashboardService(context, control),
    events: createEventService(context.ledger),
    webhooks: createWebhookHandler(receivers),
    metrics: openMetrics(context, () => operator.inbox()),
  };
}

/** Builds the facts about the legion that a page needs before it shows anything. */
function buildSessionView({ legionId, tracker, board, settings }: StateContext & PortContext): SessionView {
  const { columns } = settings();
  return {
    legion: legionId,
    backend: tracker.kind,
    ownBoard: board !== undefined,
    // Uses the column name that the operator configured for writing. If none is configured, uses
    // the name of the status.
    statuses: STATUSES.map((status) => ({ status, column: columns[status]?.[0] ?? status })),
  };
}

/** Serves the journal's events, starting at any version. */
function createEventService(ledger: Ledger): EventService {
  return {
    get version() {
      return ledger.version;
    },
    read: (after) => ledger.read(after),
    subscribe: (listener) => ledger.subscribe(() => listener()),
  };
}

/** Routes webhooks to the receiver of their service and refuses services without one. */
export function createWebhookHandler(receivers: WebhookReceivers): Daemon['webhooks'] {
  return async (service, delivery) => {
    const receiver = receivers[service];
    if (receiver !== undefined) return await receiver.receive(delivery);
    throw new LegionError('webhook.no_secret', `No secret is configured for ${service} webhooks.`);
  };
}
