/** The state of the whole board: what is due, and taking the due step. */
import { z } from 'zod';
import { LegionError } from '../../domain/fault.ts';
import { advanceAnswer, advanceRequest, collectedSchema } from '../../protocol/operator.ts';
import { type Route, route } from '../route.ts';

export const STATE_ROUTES: readonly Route[] = [
  route({
    method: 'post',
    path: '/state/fetch-and-collect',
    summary: 'read the board and the forge anew and say what is due for each issue; changes nothing',
    answer: collectedSchema,
    perform: ({ operator }) => operator.collect(),
  }),
  route({
    method: 'post',
    path: '/state/advance',
    summary: 'take the step that is due for an issue, or show it (`dryRun`)',
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
  {
    method: 'post',
    path: '/state/collect',
    summary: 'judge a posted board; always refused at present, because every legion reads its board itself',
    takes: { body: z.unknown() },
    gives: { status: 200, type: 'application/json', schema: collectedSchema },
    perform: async ({ daemon }) => {
      throw new LegionError('state.not_accepted', `legion ${daemon.legion} reads its board itself`);
    },
  },
];
