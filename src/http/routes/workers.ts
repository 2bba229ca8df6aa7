/** Workers: looking at them, starting, prompting and stopping them. */
import { z } from 'zod';
import {
  dispatchRequest,
  logsAnswer,
  promptAnswer,
  promptRequest,
  reversionRequest,
  saidAnswer,
  workerSchema,
  workerStatusSchema,
} from '../../protocol/operator.ts';
import { stopAnswer } from '../../protocol/stopping.ts';
import { pruneAnswer } from '../../protocol/upkeep.ts';
import { byQuery, logsQuery, stopQuery, workerPlace } from '../places.ts';
import { type Route, route } from '../route.ts';

export const WORKER_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/workers',
    summary: 'every worker',
    answer: z.array(workerSchema).readonly(),
    perform: ({ workers }) => workers.list(),
  }),
  route({
    method: 'post',
    path: '/workers',
    summary: 'start a worker, if its step is due; `force` passes the order and is written down',
    body: dispatchRequest,
    answer: workerSchema,
    status: 201,
    perform: ({ workers }, { body }) => workers.dispatch(body),
  }),
  route({
    method: 'post',
    path: '/workers/prune',
    summary: 'forget what is kept of issues that are over and cleaned up',
    answer: pruneAnswer,
    perform: ({ workers }) => workers.prune(),
  }),
  route({
    method: 'get',
    path: '/workers/:id',
    summary: 'one worker',
    params: workerPlace,
    answer: workerSchema,
    perform: ({ workers }, { params }) => workers.get(params.id),
  }),
  route({
    method: 'patch',
    path: '/workers/:id',
    summary: 'give its session a new version, where the old one cannot be recovered',
    params: workerPlace,
    body: reversionRequest,
    answer: workerSchema,
    perform: ({ workers }, { params, body }) => workers.reversion(params.id, body.version),
  }),
  route({
    method: 'delete',
    path: '/workers/:id',
    summary:
      'ask it to stop, then stop it; its issue is held, unless `?restart=true` lets the daemon start it again',
    params: workerPlace,
    query: stopQuery,
    answer: stopAnswer,
    perform: ({ workers }, { params, query }) => workers.stop(params.id, query),
  }),
  route({
    method: 'get',
    path: '/workers/:id/status',
    summary: 'one worker with the verdict on its health, and why',
    params: workerPlace,
    answer: workerStatusSchema,
    perform: ({ workers }, { params }) => workers.status(params.id),
  }),
  route({
    method: 'post',
    path: '/workers/:id/prompt',
    summary: 'say something to it, now or when it is idle',
    params: workerPlace,
    body: promptRequest,
    answer: promptAnswer,
    perform: ({ workers }, { params, body }) => workers.prompt(params.id, body),
  }),
  route({
    method: 'get',
    path: '/workers/:id/env',
    summary: 'the environment it is given, with secrets redacted',
    params: workerPlace,
    answer: z.record(z.string(), z.string()),
    perform: ({ workers }, { params }) => workers.environment(params.id),
  }),
  route({
    method: 'delete',
    path: '/workers/:id/workspace',
    summary: 'remove its workspace, if nothing in it would be lost',
    params: workerPlace,
    answer: saidAnswer,
    perform: ({ workers }, { params }) => workers.removeWorkspace(params.id),
  }),
  route({
    method: 'delete',
    path: '/workers/:id/crashes',
    summary: 'clear its crash count',
    params: workerPlace,
    query: byQuery,
    answer: saidAnswer,
    perform: ({ workers }, { params, query }) => workers.resetCrashes(params.id, query.by),
  }),
  route({
    method: 'get',
    path: '/workers/:id/logs',
    summary: 'what an attempt wrote, from the byte `offset` on, or the `last` bytes of it from a line on',
    params: workerPlace,
    query: logsQuery,
    answer: logsAnswer,
    perform: ({ workers }, { params, query }) => workers.logs(params.id, query),
  }),
];
