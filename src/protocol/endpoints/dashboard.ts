/**
 * Endpoints for the dashboard: the board at any time, the journal's span, an issue's history,
 * attempts and diff, and statistics.
 */
import { z } from 'zod';
import {
  attemptSchema,
  boardQuery,
  boardSchema,
  figuresQuery,
  figuresSchema,
  spanSchema,
  storyQuery,
  storySchema,
} from '../dashboard.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { issueParams } from '../endpoint.ts';
import { diffSchema } from '../repository.ts';

export const dashboardEndpoints = {
  board: {
    method: 'GET',
    path: '/board',
    summary:
      'the board as cards; `finished=all` includes issues finished over a week ago; `version` or `at` selects a past board; 304 if nothing changed',
    query: boardQuery,
    response: boardSchema,
  },
  span: {
    method: 'GET',
    path: '/journal/span',
    summary: 'times of the first and last event in the journal, and the number of events over time',
    response: spanSchema,
  },
  story: {
    method: 'GET',
    path: '/issues/:id/story',
    summary: 'the issue’s history in plain English; older pages with `before`',
    params: issueParams,
    query: storyQuery,
    response: storySchema,
  },
  attempts: {
    method: 'GET',
    path: '/issues/:id/attempts',
    summary: 'every attempt of the issue’s workers: how it ended, its report and its cost',
    params: issueParams,
    response: z.array(attemptSchema).readonly(),
  },
  diff: {
    method: 'GET',
    path: '/issues/:id/diff',
    summary: 'the changes in the issue’s pull request or workspace, read from the local git repository',
    params: issueParams,
    response: diffSchema,
  },
  figures: {
    method: 'GET',
    path: '/figures',
    summary:
      'statistics of the legion: throughput, lead times, kills, cost; `back` is the period in milliseconds',
    query: figuresQuery,
    response: figuresSchema,
  },
} as const satisfies EndpointGroup;
