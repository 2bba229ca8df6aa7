/** The legion as a whole: its health, what waits for a person, pausing, cleaning up and ending. */
import { z } from 'zod';
import { baselineRequest } from '../../protocol/baseline.ts';
import {
  approveCommandsRequest,
  healthSchema,
  inboxItemSchema,
  pauseRequest,
  repositoryCommandsSchema,
  resumeRequest,
  saidAnswer,
} from '../../protocol/operator.ts';
import { haltAnswer, haltRequest } from '../../protocol/stopping.ts';
import { gcAnswer } from '../../protocol/upkeep.ts';
import { shutdownQuery } from '../places.ts';
import { type Route, route } from '../route.ts';

export const LEGION_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/health',
    summary: 'whether the daemon is well, and what troubles it',
    answer: healthSchema,
    perform: (daemon) => daemon.health(),
  }),
  route({
    method: 'get',
    path: '/inbox',
    summary: 'everything that waits for a person',
    answer: z.array(inboxItemSchema).readonly(),
    perform: ({ operator }) => operator.inbox(),
  }),
  route({
    method: 'post',
    path: '/pause',
    summary: 'hold the whole legion: start no worker until it is resumed; running workers continue',
    body: pauseRequest,
    answer: saidAnswer,
    perform: ({ operator }, { body }) => operator.pause(undefined, body.by, body.why),
  }),
  route({
    method: 'post',
    path: '/halt',
    summary:
      'stop every worker at once and start none until the legion is resumed; a merge that has begun completes first',
    body: haltRequest,
    answer: haltAnswer,
    perform: ({ operator }, { body }) => operator.halt(body.by, body.why),
  }),
  route({
    method: 'post',
    path: '/resume',
    summary: 'start workers again',
    body: resumeRequest,
    answer: saidAnswer,
    perform: ({ operator }, { body }) => operator.resume(undefined, body.by),
  }),
  route({
    method: 'post',
    path: '/gc',
    summary: 'remove the workspaces of issues that are over, where nothing would be lost',
    answer: gcAnswer,
    perform: ({ operator }) => operator.gc(),
  }),
  route({
    method: 'get',
    path: '/repositories/commands',
    summary: 'the commands and prompts each repository asks to have used, and whether they are approved',
    answer: z.array(repositoryCommandsSchema).readonly(),
    perform: ({ operator }) => operator.repositoryCommands(),
  }),
  route({
    method: 'post',
    path: '/repositories/commands/approve',
    summary: 'approve the very commands and prompts that were shown',
    body: approveCommandsRequest,
    answer: saidAnswer,
    perform: ({ operator }, { body }) => operator.approveCommands(body.repo, body.fingerprint, body.by),
  }),
  route({
    method: 'post',
    path: '/repositories/baseline',
    summary: 'run the baselines again, or let workers start although one is bad',
    body: baselineRequest,
    answer: saidAnswer,
    perform: ({ operator }, { body }) => operator.baseline(body),
  }),
  route({
    method: 'post',
    path: '/shutdown',
    summary: 'end the daemon; workers keep running, unless `?workers=stop` stops them before',
    query: shutdownQuery,
    answer: saidAnswer,
    perform: (daemon, { query }) => {
      const stops = query.workers === 'stop';
      daemon.shutdown('stop', stops ? query.by : undefined);
      return {
        says: stops
          ? 'The daemon stops every worker and then ends; the next daemon continues their sessions.'
          : 'The daemon ends now; workers keep running, and the next daemon takes them over.',
      };
    },
  }),
  route({
    method: 'post',
    path: '/restart',
    summary: 'let a new daemon take over; workers keep running',
    answer: saidAnswer,
    perform: (daemon) => {
      daemon.shutdown('restart');
      return { says: 'The daemon gives way to a new one; workers keep running.' };
    },
  }),
];
