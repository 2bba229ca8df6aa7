/** Workers: looking at them, starting, prompting and stopping them. */
import { z } from 'zod';
import type { EndpointGroup } from '../endpoint.ts';
import {
  dispatchRequest,
  logsAnswer,
  promptAnswer,
  promptRequest,
  reversionRequest,
  saidAnswer,
  workerSchema,
  workerStatusSchema,
} from '../operator.ts';
import { byQuery, logsQuery, stopQuery, workerParams } from '../params.ts';
import { stopAnswer } from '../stopping.ts';
import { pruneAnswer } from '../upkeep.ts';

export const workerEndpoints = {
  list: {
    method: 'GET',
    path: '/workers',
    summary: 'every worker',
    response: z.array(workerSchema).readonly(),
  },
  dispatch: {
    method: 'POST',
    path: '/workers',
    summary: 'start a worker, if its step is due; `force` passes the order and is written down',
    body: dispatchRequest,
    response: workerSchema,
    status: 201,
  },
  prune: {
    method: 'POST',
    path: '/workers/prune',
    summary: 'forget what is kept of issues that are over and cleaned up',
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
    summary: 'give its session a new version, where the old one cannot be recovered',
    params: workerParams,
    body: reversionRequest,
    response: workerSchema,
  },
  stop: {
    method: 'DELETE',
    path: '/workers/:id',
    summary:
      'ask it to stop, then stop it; its issue is held, unless `?restart=true` lets the daemon start it again',
    params: workerParams,
    query: stopQuery,
    response: stopAnswer,
  },
  status: {
    method: 'GET',
    path: '/workers/:id/status',
    summary: 'one worker with the verdict on its health, and why',
    params: workerParams,
    response: workerStatusSchema,
  },
  prompt: {
    method: 'POST',
    path: '/workers/:id/prompt',
    summary: 'say something to it, now or when it is idle',
    params: workerParams,
    body: promptRequest,
    response: promptAnswer,
  },
  environment: {
    method: 'GET',
    path: '/workers/:id/env',
    summary: 'the environment it is given, with secrets redacted',
    params: workerParams,
    response: z.record(z.string(), z.string()),
  },
  removeWorkspace: {
    method: 'DELETE',
    path: '/workers/:id/workspace',
    summary: 'remove its workspace, if nothing in it would be lost',
    params: workerParams,
    response: saidAnswer,
  },
  resetCrashes: {
    method: 'DELETE',
    path: '/workers/:id/crashes',
    summary: 'clear its crash count',
    params: workerParams,
    query: byQuery,
    response: saidAnswer,
  },
  logs: {
    method: 'GET',
    path: '/workers/:id/logs',
    summary: 'what an attempt wrote, from the byte `offset` on, or the `last` bytes of it from a line on',
    params: workerParams,
    query: logsQuery,
    response: logsAnswer,
  },
} as const satisfies EndpointGroup;
