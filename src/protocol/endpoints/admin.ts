/** Endpoints for the legion as a whole: health, inbox, pausing, cleaning up and shutting down. */
import { z } from 'zod';
import type { EndpointGroup } from '../endpoint.ts';
import { shutdownQuery } from '../endpoint.ts';
import {
  actionAnswer,
  approveCommandsRequest,
  baselineRequest,
  gcAnswer,
  haltAnswer,
  haltRequest,
  inboxItemSchema,
  pauseRequest,
  resumeRequest,
} from '../operator.ts';
import { repositoryCommandsSchema } from '../repository.ts';
import { healthSchema, statusAnswer, statusQuery } from '../status.ts';

export const adminEndpoints = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'whether the daemon is healthy, and its active problems',
    response: healthSchema,
  },
  status: {
    method: 'GET',
    path: '/status',
    summary:
      'the daemon, the number of inbox items, and the reason for each open issue’s state; more with `finished=all` and `detail=full`',
    query: statusQuery,
    response: statusAnswer,
  },
  inbox: {
    method: 'GET',
    path: '/inbox',
    summary: 'everything that is waiting for a person',
    response: z.array(inboxItemSchema).readonly(),
  },
  pause: {
    method: 'POST',
    path: '/pause',
    summary: 'pause the whole legion: no worker starts until the legion is resumed; running workers continue',
    body: pauseRequest,
    response: actionAnswer,
  },
  halt: {
    method: 'POST',
    path: '/halt',
    summary:
      'stop every worker at once and start none until the legion is resumed; a merge that has begun completes first',
    body: haltRequest,
    response: haltAnswer,
  },
  resume: {
    method: 'POST',
    path: '/resume',
    summary: 'start workers again',
    body: resumeRequest,
    response: actionAnswer,
  },
  gc: {
    method: 'POST',
    path: '/gc',
    summary: 'remove the workspaces of finished issues if no work would be lost',
    response: gcAnswer,
  },
  repositoryCommands: {
    method: 'GET',
    path: '/repositories/commands',
    summary: 'the commands and prompts of each repository, and whether they are approved',
    response: z.array(repositoryCommandsSchema).readonly(),
  },
  approveCommands: {
    method: 'POST',
    path: '/repositories/commands/approve',
    summary: 'approve exactly the commands and prompts that were shown',
    body: approveCommandsRequest,
    response: actionAnswer,
  },
  baseline: {
    method: 'POST',
    path: '/repositories/baseline',
    summary: 'run the baselines again, or let workers start even though a baseline is red',
    body: baselineRequest,
    response: actionAnswer,
  },
  shutdown: {
    method: 'POST',
    path: '/shutdown',
    summary: 'shut down the daemon; workers keep running unless `?workers=stop` stops them first',
    query: shutdownQuery,
    response: actionAnswer,
  },
  restart: {
    method: 'POST',
    path: '/restart',
    summary:
      'replace the daemon with a new one; workers keep running; refused while `legion.yaml` is invalid, with the error in that file',
    response: actionAnswer,
  },
} as const satisfies EndpointGroup;
