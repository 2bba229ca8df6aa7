/** What programs watch beside events: figures for Prometheus, and the description of all endpoints. */
import { monitoringEndpoints } from '../../protocol/endpoints/monitoring.ts';
import { type Route, route, sendJson, sendText } from '../route.ts';

const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const MONITORING_ROUTES: readonly Route[] = [
  route(monitoringEndpoints.metrics, async (c) =>
    sendText(c, await c.env.services.daemon.metrics(), PROMETHEUS_TYPE),
  ),
  route(monitoringEndpoints.openapi, (c) => sendJson(c, c.env.services.describeApi())),
];
