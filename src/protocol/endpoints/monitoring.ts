/** Endpoints for the state of the whole board and for monitoring. */
import { z } from 'zod';
import {
  collectedSchema,
  fetchRequest,
  MAX_POSTED_BYTES,
  postedAnswer,
  postedRequest,
} from '../board-state.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { eventsQuery } from '../endpoint.ts';
import { advanceAnswer, advanceRequest } from '../operator.ts';

/** Endpoints for the board's due steps, and for running one. */
export const stateEndpoints = {
  collect: {
    method: 'POST',
    path: '/state/fetch-and-collect',
    summary: 'read the board and the forge and return each issue’s due step; changes nothing',
    body: fetchRequest,
    response: collectedSchema,
  },
  advance: {
    method: 'POST',
    path: '/state/advance',
    summary:
      'run an issue’s due step, or force another `stage`, or show either (`dryRun`); `advanced` says whether anything was done',
    body: advanceRequest,
    response: advanceAnswer,
    errors: [404, 409, 422, 503],
  },
  materialized: {
    method: 'GET',
    path: '/state/materialized',
    summary: 'the legion’s complete state, folded from its journal',
    response: z.unknown(),
  },
  collectPosted: {
    method: 'POST',
    path: '/state/collect',
    summary:
      'return the due step of each posted issue: Linear responses are evaluated as posted, other issues are read again by id; `rejected` lists unusable entries',
    body: postedRequest,
    maxBodyBytes: MAX_POSTED_BYTES,
    response: postedAnswer,
  },
} as const satisfies EndpointGroup;

/** Endpoints for monitoring: events, metrics and the description of all endpoints. */
export const monitoringEndpoints = {
  events: {
    method: 'GET',
    path: '/events',
    summary:
      'the journal as server-sent events: those after `Last-Event-ID` or the parameter `after`, or only new ones',
    query: eventsQuery,
    mediaType: 'text/event-stream',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'metrics for Prometheus',
    mediaType: 'text/plain',
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'this description of every route',
  },
} as const satisfies EndpointGroup;
