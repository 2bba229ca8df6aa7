/** The type of each endpoint by method and path, for clients that load no schemas. */
import type { adminEndpoints } from './admin.ts';
import type { dashboardEndpoints } from './dashboard.ts';
import type { issueActionEndpoints } from './issue-actions.ts';
import type { issueEndpoints } from './issues.ts';
import type { stateEndpoints } from './monitoring.ts';
import type { sessionEndpoints } from './session.ts';
import type { workerEndpoints } from './workers.ts';

type EndpointOf<Group> = Group extends Group ? Group[keyof Group] : never;

type AnyEndpoint = EndpointOf<
  | typeof adminEndpoints
  | typeof dashboardEndpoints
  | typeof issueActionEndpoints
  | typeof issueEndpoints
  | typeof sessionEndpoints
  | typeof stateEndpoints
  | typeof workerEndpoints
>;

/** Usage: `EndpointByRoute['GET /issues/:id']`. */
export type EndpointByRoute = {
  readonly [E in AnyEndpoint as `${E['method']} ${E['path']}`]: E;
};
