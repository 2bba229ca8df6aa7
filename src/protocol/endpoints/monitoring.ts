/** What programs watch: events, figures and the description of all endpoints. */
import type { EndpointGroup } from '../endpoint.ts';
import { eventsQuery } from '../params.ts';

export const monitoringEndpoints = {
  events: {
    method: 'GET',
    path: '/events',
    summary: 'the journal as server-sent events, after `Last-Event-ID` or `after`, else from the present end',
    query: eventsQuery,
    mediaType: 'text/event-stream',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'figures for Prometheus',
    mediaType: 'text/plain',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'this description of every route',
  },
} as const satisfies EndpointGroup;
