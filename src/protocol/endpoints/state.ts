/** The state of the whole board: what is due, and taking the due step. */
import { z } from 'zod';
import {
  collectedSchema,
  fetchRequest,
  POSTED_MOST_BYTES,
  postedAnswer,
  postedRequest,
} from '../board-state.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { advanceAnswer, advanceRequest } from '../operator.ts';

export const stateEndpoints = {
  collect: {
    method: 'POST',
    path: '/state/fetch-and-collect',
    summary: 'read the board and the forge anew and say what is due for each issue; changes nothing',
    body: fetchRequest,
    response: collectedSchema,
  },
  advance: {
    method: 'POST',
    path: '/state/advance',
    summary:
      'take the step that is due for an issue, or show it (`dryRun`); `advanced` tells whether anything was done',
    body: advanceRequest,
    response: advanceAnswer,
  },
  materialized: {
    method: 'GET',
    path: '/state/materialized',
    summary: 'all the legion knows, folded from its journal',
    response: z.unknown(),
  },
  collectPosted: {
    method: 'POST',
    path: '/state/collect',
    summary:
      'the same for posted issues: an answer of Linear, evaluated as posted; elsewhere named, and read anew; `rejected` has what is not usable',
    body: postedRequest,
    maxBodyBytes: POSTED_MOST_BYTES,
    response: postedAnswer,
  },
} as const satisfies EndpointGroup;
