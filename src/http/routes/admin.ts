/** The legion as a whole: its health, what waits for a person, pausing, cleaning up and ending. */
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { jsonRoute, type Route } from '../route.ts';

export const ADMIN_ROUTES: readonly Route[] = [
  jsonRoute(adminEndpoints.health, (daemon) => daemon.health()),
  jsonRoute(adminEndpoints.status, ({ operator }, { query }) => operator.status(query)),
  jsonRoute(adminEndpoints.inbox, ({ operator }) => operator.inbox()),
  jsonRoute(adminEndpoints.pause, ({ operator }, { body }) => operator.pause(undefined, body.by, body.why)),
  jsonRoute(adminEndpoints.halt, ({ operator }, { body }) => operator.halt(body.by, body.why)),
  jsonRoute(adminEndpoints.resume, ({ operator }, { body }) => operator.resume(undefined, body.by)),
  jsonRoute(adminEndpoints.gc, ({ operator }) => operator.gc()),
  jsonRoute(adminEndpoints.repositoryCommands, ({ operator }) => operator.repositoryCommands()),
  jsonRoute(adminEndpoints.approveCommands, ({ operator }, { body }) =>
    operator.approveCommands(body.repo, body.fingerprint, body.by),
  ),
  jsonRoute(adminEndpoints.baseline, ({ operator }, { body }) => operator.baseline(body)),
  jsonRoute(adminEndpoints.shutdown, (daemon, { query }) => {
    const stops = query.workers === 'stop';
    daemon.shutdown('stop', stops ? query.by : undefined);
    return {
      says: stops
        ? 'The daemon stops every worker and then ends; the next daemon continues their sessions.'
        : 'The daemon ends now; workers keep running, and the next daemon takes them over.',
    };
  }),
  jsonRoute(adminEndpoints.restart, (daemon) => {
    daemon.shutdown('restart');
    return { says: 'The daemon gives way to a new one; workers keep running.' };
  }),
];
