/** A simulated Linear with one team and its people, and trackers on it that are closed after the test. */

import type { LinearSimulator, NewTeam } from '../../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../../simulators/linear/start.ts';
import type { Status } from '../../../../src/core/model/status.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { openLinear } from '../../../../src/integrations/linear/client/open.ts';
import type { LinearClient } from '../../../../src/linear/client.ts';
import {
  type LinearTracker,
  type LinearTrackerOptions,
  openLinearTracker,
} from '../../../../src/trackers/linear/open-linear-tracker.ts';

/** Whose key Legion has. */
export const LEGION = 'legion';
/** A member of the workspace, and the name of somebody outside. */
export const WRITER = 'ada';
export const OUTSIDER = 'eve';

/** Any moment will do; it is not the present, so that nothing depends on that. */
const BEGINNING = Date.UTC(2030, 0, 1);
const SECOND_MS = 1_000;

type State = NonNullable<NewTeam['states']>[number];

/** A state for every status, and those that every team has besides. */
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
  /** A team with a state for every status but one; resolves to its UUID. */
  team(key: string, without?: Status): string;
  tracker(team: string, options?: Partial<LinearTrackerOptions>): Promise<LinearTracker>;
  /** A client of its own with Legion's key; closed after the test. */
  client(): LinearClient;
  /** What the clients have asked since the last call, by name. */
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
        ...{ client: client(), viewer: { id }, legion: team, team, clock },
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
