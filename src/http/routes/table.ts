/** Every route, in the order in which documents list them. */
import type { Route } from '../route.ts';
import { ADMIN_ROUTES } from './admin.ts';
import { DASHBOARD_ROUTES } from './dashboard.ts';
import { EVENTS_ROUTE } from './events.ts';
import { ISSUE_ACTION_ROUTES } from './issue-actions.ts';
import { ISSUE_ROUTES } from './issues.ts';
import { MONITORING_ROUTES } from './monitoring.ts';
import { SESSION_ROUTES } from './session.ts';
import { STATE_ROUTES } from './state.ts';
import { VERB_ROUTE } from './verbs.ts';
import { WEBHOOK_ROUTE } from './webhooks.ts';
import { WORKER_ROUTES } from './workers.ts';

export const ROUTES: readonly Route[] = [
  ...ADMIN_ROUTES,
  ...ISSUE_ROUTES,
  ...ISSUE_ACTION_ROUTES,
  ...WORKER_ROUTES,
  ...STATE_ROUTES,
  ...DASHBOARD_ROUTES,
  ...SESSION_ROUTES,
  EVENTS_ROUTE,
  ...MONITORING_ROUTES,
  WEBHOOK_ROUTE,
  VERB_ROUTE,
];
