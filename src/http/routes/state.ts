/** The state of the whole board: what is due, and taking the due step. */
import { stateEndpoints } from '../../protocol/endpoints/state.ts';
import { jsonRoute, type Route } from '../route.ts';

export const STATE_ROUTES: readonly Route[] = [
  jsonRoute(stateEndpoints.collect, ({ operator }, { body }) => operator.collect(body)),
  jsonRoute(stateEndpoints.advance, ({ operator }, { body }) => operator.advance(body)),
  jsonRoute(stateEndpoints.materialized, ({ operator }) => operator.materialized()),
  jsonRoute(stateEndpoints.collectPosted, ({ operator }, { body }) => operator.collectPosted(body)),
];
