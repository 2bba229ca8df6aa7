/** The legion as a whole: its health, what waits for a person, pausing, cleaning up and ending. */
import { z } from 'zod';
import { baselineRequest } from '../baseline.ts';
import type { EndpointGroup } from '../endpoint.ts';
import {
  approveCommandsRequest,
  healthSchema,
  inboxItemSchema,
  pauseRequest,
  repositoryCommandsSchema,
  resumeRequest,
  saidAnswer,
} from '../operator.ts';
import { shutdownQuery } from '../params.ts';
import { statusAnswer, statusQuery } from '../status.ts';
import { haltAnswer, haltRequest } from '../stopping.ts';
import { gcAnswer } from '../upkeep.ts';

export const adminEndpoints = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'whether the daemon is well, and what troubles it',
    response: healthSchema,
  },
  status: {
    method: 'GET',
    path: '/status',
    summary:
      'the daemon, how much waits for a person, and why each open issue is where it is; more with `finished=all` and `detail=full`',
    query: statusQuery,
    response: statusAnswer,
  },
  inbox: {
    method: 'GET',
    path: '/inbox',
    summary: 'everything that waits for a person',
    response: z.array(inboxItemSchema).readonly(),
  },
  pause: {
    method: 'POST',
    path: '/pause',
    summary: 'hold the whole legion: start no worker until it is resumed; running workers continue',
    body: pauseRequest,
    response: saidAnswer,
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
    response: saidAnswer,
  },
  gc: {
    method: 'POST',
    path: '/gc',
    summary: 'remove the workspaces of issues that are over, where nothing would be lost',
    response: gcAnswer,
  },
  repositoryCommands: {
    method: 'GET',
    path: '/repositories/commands',
    summary: 'the commands and prompts each repository asks to have used, and whether they are approved',
    response: z.array(repositoryCommandsSchema).readonly(),
  },
  approveCommands: {
    method: 'POST',
    path: '/repositories/commands/approve',
    summary: 'approve the very commands and prompts that were shown',
    body: approveCommandsRequest,
    response: saidAnswer,
  },
  baseline: {
    method: 'POST',
    path: '/repositories/baseline',
    summary: 'run the baselines again, or let workers start although one is bad',
    body: baselineRequest,
    response: saidAnswer,
  },
  shutdown: {
    method: 'POST',
    path: '/shutdown',
    summary: 'end the daemon; workers keep running, unless `?workers=stop` stops them before',
    query: shutdownQuery,
    response: saidAnswer,
  },
  restart: {
    method: 'POST',
    path: '/restart',
    summary:
      'let a new daemon take over; workers keep running. Refused with the fault of `legion.yaml` while that is invalid',
    response: saidAnswer,
  },
} as const satisfies EndpointGroup;
