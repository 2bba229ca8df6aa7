/**
 * A simulated GitHub with one organization, its board and its people. Trackers opened on it are
 * closed after the test.
 */

import type { GithubSimulator, NewProject, ProjectName } from '../../../../simulators/github/simulator.ts';
import { startGithub } from '../../../../simulators/github/start.ts';
import type { Clock } from '../../../../src/core/model/clock.ts';
import { STATUSES } from '../../../../src/core/model/status.ts';
import { type GithubConnection, openGithub } from '../../../../src/integrations/github/client/open.ts';
import {
  type GithubTracker,
  type GithubTrackerOptions,
  openGithubTracker,
} from '../../../../src/integrations/github/tracker/open-github-tracker.ts';

/** The account whose token Legion uses. */
export const LEGION = 'legion';
/** A person with write access, and one without. */
export const WRITER = 'ada';
export const OUTSIDER = 'eve';
export const REPO = 'acme/app';

/** Any whole second except the current time, so that no test depends on the current time. */
const BEGINNING = Date.UTC(2030, 0, 1);
const SECOND_MS = 1_000;
const PRIORITIES = ['P0', 'P1', 'P2', 'P3'];

export interface Simulated {
  readonly github: GithubSimulator;
  readonly clock: Clock;
  /** Advances the clock by whole seconds, because GitHub's times are whole seconds. */
  pass(seconds?: number): void;
  /** Creates a board of the organization or another owner, with a column for every status. */
  board(project?: NewProject, owner?: string): ProjectName;
  tracker(projects: readonly ProjectName[], options?: Partial<GithubTrackerOptions>): Promise<GithubTracker>;
  /** Opens a client with Legion's own account, closed after the test. */
  client(): GithubConnection;
  /** Returns the names of the requests since the last call. */
  asked(): readonly string[];
  close(): Promise<void>;
}

/** `beginning` is the initial time of the simulated clock in milliseconds. */
export async function simulated(beginning = BEGINNING): Promise<Simulated> {
  let now = beginning;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    sleep: () => Promise.reject(new Error('nothing here should wait')),
  };
  const github = await startGithub({ clock });
  const { people } = github;
  people.organization('acme', [LEGION, WRITER]);
  people.user(OUTSIDER);
  await people.repository(REPO);
  people.grant(REPO, LEGION, 'MAINTAIN');
  people.grant(REPO, WRITER, 'WRITE');
  const token = people.token(LEGION);
  const clients: GithubConnection[] = [];
  let counted = 0;

  function client(): GithubConnection {
    const identities = { legion: { kind: 'token', token } } as const;
    const opened = openGithub({ url: github.url, identities, environment: {}, clock, writeSpacingMs: 0 });
    clients.push(opened);
    return opened;
  }

  return {
    github,
    clock,
    client,
    pass: (seconds = 1) => {
      now += seconds * SECOND_MS;
    },
    board(project = {}, owner = 'acme') {
      const number = people.project(owner, {
        statuses: STATUSES,
        fields: { Priority: PRIORITIES },
        ...project,
      });
      return `${owner}/${number}`;
    },
    async tracker(projects, options = {}) {
      return openGithubTracker({
        client: client(),
        projects,
        columns: () => ({}),
        repositories: () => [REPO],
        authors: () => ({ trust: 'writers', also: [] }),
        clock,
        accounts: [LEGION],
        ...options,
      });
    },
    asked() {
      const names = github.requests().map(({ name }) => name);
      const since = names.slice(counted);
      counted = names.length;
      return since;
    },
    async close() {
      for (const client of clients) await client.close();
      await github.close();
    },
  };
}
