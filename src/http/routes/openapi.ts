/** What this door offers, for machines. */
import { jsonAnswer } from '../answer.ts';
import type { Route } from '../route.ts';

export const OPENAPI_ROUTE: Route = {
  method: 'get',
  path: '/openapi.json',
  summary: 'this description of every route',
  takes: {},
  gives: { status: 200, type: 'application/json' },
  perform: async ({ document }) => jsonAnswer(200, document()),
};
