/** Figures for Prometheus. */
import { textAnswer } from '../answer.ts';
import type { Route } from '../route.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export const METRICS_ROUTE: Route = {
  method: 'get',
  path: '/metrics',
  summary: 'figures for Prometheus',
  takes: {},
  gives: { status: 200, type: 'text/plain' },
  perform: async ({ daemon }) => textAnswer(200, TYPE, await daemon.metrics()),
};
