/**
 * A simulated Linear with one team and its people. Trackers opened on it are closed after the test.
 */

import type { LinearSimulator, NewTeam } from '../../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../../simulators/linear/start.ts';
import type { Clock } from '../../../../src/core/model/clock.ts';
import type { Status } from '../../../../src/core/model/status.ts';
import type { LinearClient } from '../../../../src/integrations/linear/client/client.ts';
import { openLinear } from '../../../../src/integrations/linear/client/open.ts';
import {
  type LinearTracker,
  type LinearTrackerOptions,
  openLinearTracker,
} from '../../../../src/integrations/linear/tracker/open-linear-tracker.ts';

/** The account whose key Legion uses. */
export const LEGION = 'legion';
/** A workspace member, and the name of a person outside the workspace. */
export const WRITER = 'ada';
export const OUTSIDER = 'eve';

/** Any moment except the current time, so that no test depends on the current time. */
const BEGINNING = Date.UTC(2030, 0, 1);
const SECOND_MS = 1_000;

type State = NonNullable<NewTeam['states']>[number];

/** A state for every status, plus the end states that every team has. */
export const STATES: readonly State[] = [
  { name: 'Triage', type: 'backlog' },
  { name: 'Icebox', type: 'backlog' },
  { name: 'Backlog', type: 'backlog' },
  { name: 'Todo', type: 'unstarted' },
  { name: 'In Progress', type: 'started' },
  { name: 'Testing', type: 'started' },
  { name: 'Needs Review', type: 'started' },
  { name: 'Retro', type: 'started' },
  { name: 'Done', type: 'completed' },
  { name: 'Canceled', type: 'canceled' },
  { name: 'Duplicate', type: 'duplicate' },
];

export interface Simulated {
  readonly linear: LinearSimulator;
  readonly clock: Clock;
  pass(seconds?: number): void;
  /** Creates a team with a state for every status except `without`. Returns its UUID. */
  team(key: string, without?: Status): string;
  tracker(team: string, options?: Partial<LinearTrackerOptions>): Promise<LinearTracker>;
  /** Opens a new client with Legion's key, closed after the test. */
  client(): LinearClient;
  /** Returns the names of the requests since the last call. */
  asked(): readonly string[];
  close(): Promise<void>;
}

export async function simulated(): Promise<Simulated> {
  let now = BEGINNING;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    sleep: () => Promise.reject(new Error('nothing here should wait')),
  };
  const linear = await startLinear({ clock });
  const { people } = linear;
  const id = people.user(LEGION);
  people.user(WRITER);
  const value = people.apiKey(LEGION);
  const clients: LinearClient[] = [];
  let counted = 0;

  function client(): LinearClient {
    const credential = { kind: 'api_key', value } as const;
    const opened = openLinear({ url: linear.url, credential, clock });
    clients.push(opened);
    return opened;
  }

  return {
    linear,
    clock,
    client,
    pass: (seconds = 1) => {
      now += seconds * SECOND_MS;
    },
    team: (key, without) =>
      people.team({ key, name: `Team ${key}`, states: STATES.filter(({ name }) => name !== without) }),
    tracker: async (team, options = {}) =>
      openLinearTracker({
        client: client(),
        viewer: { id },
        legion: team,
        team,
        clock,
        columns: () => ({}),
        authors: () => ({ trust: 'writers', also: [] }),
        ...options,
      }),
    asked() {
      const names = linear.requests().map(({ name }) => name);
      const since = names.slice(counted);
      counted = names.length;
      return since;
    },
    async close() {
      for (const each of clients) await each.close();
      await linear.close();
    },
  };
}
