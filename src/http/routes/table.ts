/** Every route there is, in the order in which documents list them. */
import type { Route } from '../route.ts';
import { COURSE_ROUTES } from './course.ts';
import { DASHBOARD_ROUTES } from './dashboard.ts';
import { EVENTS_ROUTE } from './events.ts';
import { ISSUE_ROUTES } from './issues.ts';
import { LEGION_ROUTES } from './legion.ts';
import { METRICS_ROUTE } from './metrics.ts';
import { OPENAPI_ROUTE } from './openapi.ts';
import { SESSION_ROUTES } from './session.ts';
import { STATE_ROUTES } from './state.ts';
import { WEBHOOK_ROUTE } from './webhooks.ts';
import { VERB_ROUTE } from './worker-verbs.ts';
import { WORKER_ROUTES } from './workers.ts';

export const ROUTES: readonly Route[] = [
  ...LEGION_ROUTES,
  ...ISSUE_ROUTES,
  ...COURSE_ROUTES,
  ...WORKER_ROUTES,
  ...STATE_ROUTES,
  ...DASHBOARD_ROUTES,
  ...SESSION_ROUTES,
  EVENTS_ROUTE,
  METRICS_ROUTE,
  OPENAPI_ROUTE,
  WEBHOOK_ROUTE,
  VERB_ROUTE,
];
