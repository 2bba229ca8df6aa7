/** Endpoints for workers: listing, starting, prompting and stopping them. */
import { z } from 'zod';
import type { EndpointGroup } from '../endpoint.ts';
import { byQuery, stopQuery, workerParams } from '../endpoint.ts';
import { actionAnswer, pruneAnswer, pruneRequest, removeWorkspaceRequest, stopAnswer } from '../operator.ts';
import {
  dispatchAnswer,
  dispatchRequest,
  logsAnswer,
  logsQuery,
  promptAnswer,
  promptRequest,
  reversionRequest,
  workerSchema,
  workerStatusSchema,
  workersQuery,
} from '../workers.ts';

export const workerEndpoints = {
  list: {
    method: 'GET',
    path: '/workers',
    summary:
      'the workers, without those of finished issues whose workspace is removed; `finished=all` adds those, `active=true` leaves only workers that run or wait',
    query: workersQuery,
    response: z.array(workerSchema).readonly(),
  },
  dispatch: {
    method: 'POST',
    path: '/workers',
    summary:
      'start a worker if its step is due, or send `prompt` to its existing session; `force` overrides the order and is recorded',
    body: dispatchRequest,
    response: dispatchAnswer,
    status: 201,
    errors: [404, 409, 422, 429, 503],
  },
  prune: {
    method: 'POST',
    path: '/workers/prune',
    summary:
      'delete the records of issues that are finished and cleaned up: of those in `issueIds`, or of all',
    body: pruneRequest,
    response: pruneAnswer,
  },
  show: {
    method: 'GET',
    path: '/workers/:id',
    summary: 'one worker',
    params: workerParams,
    response: workerSchema,
  },
  reversion: {
    method: 'PATCH',
    path: '/workers/:id',
    summary: 'give the worker a new version of its session if the old session cannot be recovered',
    params: workerParams,
    body: reversionRequest,
    response: workerSchema,
  },
  stop: {
    method: 'DELETE',
    path: '/workers/:id',
    summary:
      'ask the worker to stop, then stop it; its issue is paused unless `?restart=true` lets the daemon start the worker again',
    params: workerParams,
    query: stopQuery,
    response: stopAnswer,
  },
  status: {
    method: 'GET',
    path: '/workers/:id/status',
    summary: 'one worker with its health verdict and the reasons',
    params: workerParams,
    response: workerStatusSchema,
  },
  prompt: {
    method: 'POST',
    path: '/workers/:id/prompt',
    summary: 'send the worker a message, delivered now or when the worker is idle',
    params: workerParams,
    body: promptRequest,
    response: promptAnswer,
  },
  environment: {
    method: 'GET',
    path: '/workers/:id/env',
    summary: 'the worker’s environment, with secrets redacted',
    params: workerParams,
    response: z.record(z.string(), z.string()),
  },
  removeWorkspace: {
    method: 'DELETE',
    path: '/workers/:id/workspace',
    summary: 'remove the worker’s workspace if no work would be lost; does nothing for an unknown worker',
    params: workerParams,
    body: removeWorkspaceRequest,
    response: actionAnswer,
  },
  resetCrashes: {
    method: 'DELETE',
    path: '/workers/:id/crashes',
    summary: 'reset the worker’s crash count',
    params: workerParams,
    query: byQuery,
    response: actionAnswer,
  },
  logs: {
    method: 'GET',
    path: '/workers/:id/logs',
    summary: 'the output of an attempt from byte `offset`, or its `last` bytes from the start of a line',
    params: workerParams,
    query: logsQuery,
    response: logsAnswer,
  },
} as const satisfies EndpointGroup;
