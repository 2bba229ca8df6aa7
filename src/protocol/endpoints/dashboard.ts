/** What the dashboard shows: the board of any moment, the journal's span, an issue's history, attempts and diff, the figures. */
import { z } from 'zod';
import {
  attemptSchema,
  boardQuery,
  boardSchema,
  diffSchema,
  figuresQuery,
  figuresSchema,
  spanSchema,
  storyQuery,
  storySchema,
} from '../dashboard.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { issueParams } from '../params.ts';

export const dashboardEndpoints = {
  board: {
    method: 'GET',
    path: '/board',
    summary:
      'the board as cards; issues over for a week with `finished=all`; of the past with `version` or `at`; 304 where nothing changed',
    query: boardQuery,
    response: boardSchema,
  },
  span: {
    method: 'GET',
    path: '/journal/span',
    summary: 'when the journal begins and ends, and how much happened when',
    response: spanSchema,
  },
  story: {
    method: 'GET',
    path: '/issues/:id/story',
    summary: 'what happened to it, in words; older pages with `before`',
    params: issueParams,
    query: storyQuery,
    response: storySchema,
  },
  attempts: {
    method: 'GET',
    path: '/issues/:id/attempts',
    summary: 'every life of its workers: how it ended, what it reported, what it cost',
    params: issueParams,
    response: z.array(attemptSchema).readonly(),
  },
  diff: {
    method: 'GET',
    path: '/issues/:id/diff',
    summary: 'what its pull request or its workspace changes, by the git of this machine',
    params: issueParams,
    response: diffSchema,
  },
  figures: {
    method: 'GET',
    path: '/figures',
    summary: 'how the legion has done: throughput, lead times, kills, cost; `back` in milliseconds',
    query: figuresQuery,
    response: figuresSchema,
  },
} as const satisfies EndpointGroup;
