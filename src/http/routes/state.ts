/** The state of the whole board: what is due, and taking the due step. */
import { z } from 'zod';
import {
  collectedSchema,
  fetchRequest,
  POSTED_MOST_BYTES,
  postedAnswer,
  postedRequest,
} from '../../protocol/board-state.ts';
import { advanceAnswer, advanceRequest } from '../../protocol/operator.ts';
import { type Route, route } from '../route.ts';

export const STATE_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/state/fetch-and-collect',
    summary: 'read the board and the forge anew and say what is due for each issue; changes nothing',
    body: fetchRequest,
    answer: collectedSchema,
    perform: ({ operator }, { body }) => operator.collect(body),
  }),
  route({
    method: 'post',
    path: '/state/advance',
    summary:
      'take the step that is due for an issue, or show it (`dryRun`); `advanced` tells whether anything was done',
    body: advanceRequest,
    answer: advanceAnswer,
    perform: ({ operator }, { body }) => operator.advance(body),
  }),
  route({
    method: 'get',
    path: '/state/materialized',
    summary: 'all the legion knows, folded from its journal',
    answer: z.unknown(),
    perform: ({ operator }) => operator.materialized(),
  }),
  route({
    method: 'post',
    path: '/state/collect',
    summary:
      'the same for posted issues: an answer of Linear, evaluated as posted; elsewhere named, and read anew; `rejected` has what is not usable',
    body: postedRequest,
    mostBytes: POSTED_MOST_BYTES,
    answer: postedAnswer,
    perform: ({ operator }, { body }) => operator.collectPosted(body),
  }),
];
