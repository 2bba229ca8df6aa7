/** What the dashboard shows: the board of any moment, how long the journal is, an issue's story, lives and changes, the figures. */
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
} from '../../protocol/dashboard.ts';
import { issuePlace } from '../places.ts';
import { type Route, route } from '../route.ts';

export const DASHBOARD_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/board',
    summary:
      'the board as cards, as last seen; of the past with `version` or `at`; 304 where nothing changed',
    query: boardQuery,
    answer: boardSchema,
    mark: ({ dashboard }, { query }) => dashboard.boardMark(query),
    perform: ({ dashboard }, { query }) => dashboard.board(query),
  }),
  route({
    method: 'get',
    path: '/journal/span',
    summary: 'when the journal begins and ends, and how much happened when',
    answer: spanSchema,
    perform: ({ dashboard }) => dashboard.span(),
  }),
  route({
    method: 'get',
    path: '/issues/:id/story',
    summary: 'what happened to it, in words; older pages with `before`',
    params: issuePlace,
    query: storyQuery,
    answer: storySchema,
    perform: ({ dashboard }, { params, query }) => dashboard.story(params.id, query),
  }),
  route({
    method: 'get',
    path: '/issues/:id/attempts',
    summary: 'every life of its workers: how it ended, what it reported, what it cost',
    params: issuePlace,
    answer: z.array(attemptSchema).readonly(),
    perform: ({ dashboard }, { params }) => dashboard.attempts(params.id),
  }),
  route({
    method: 'get',
    path: '/issues/:id/diff',
    summary: 'what its pull request or its workspace changes, by the git of this machine',
    params: issuePlace,
    answer: diffSchema,
    perform: ({ dashboard }, { params }) => dashboard.diff(params.id),
  }),
  route({
    method: 'get',
    path: '/figures',
    summary: 'how the legion has done: throughput, lead times, kills, cost; `back` in milliseconds',
    query: figuresQuery,
    answer: figuresSchema,
    perform: ({ dashboard }, { query }) => dashboard.figures(query.back),
  }),
];
