/** A simulated GitHub with one organization, its board and its people, and trackers on it that are closed after the test. */

import type { GithubSimulator, NewProject, ProjectName } from '../../../../simulators/github/simulator.ts';
import { startGithub } from '../../../../simulators/github/start.ts';
import { STATUSES } from '../../../../src/core/model/status.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { type Github, openGithub } from '../../../../src/github/open.ts';
import {
  type GithubTracker,
  type GithubTrackerOptions,
  openGithubTracker,
} from '../../../../src/trackers/github/open-github-tracker.ts';

/** Whose token Legion has. */
export const LEGION = 'legion';
/** Somebody who may write, and somebody who may not. */
export const WRITER = 'ada';
export const OUTSIDER = 'eve';
export const REPO = 'acme/app';

/** Any whole second will do; it is not the present, so that nothing depends on that. */
const BEGINNING = Date.UTC(2030, 0, 1);
const SECOND_MS = 1_000;
const PRIORITIES = ['P0', 'P1', 'P2', 'P3'];

export interface Simulated {
  readonly github: GithubSimulator;
  readonly clock: Clock;
  /** Lets time pass; GitHub's times are whole seconds. */
  pass(seconds?: number): void;
  /** A board of the organization, or of another owner, with a column for every status. */
  board(project?: NewProject, owner?: string): ProjectName;
  tracker(projects: readonly ProjectName[], options?: Partial<GithubTrackerOptions>): Promise<GithubTracker>;
  /** Legion's own client, as every tracker has one; closed after the test. */
  client(): Github;
  /** What the clients have asked since the last call, by name. */
  asked(): readonly string[];
  close(): Promise<void>;
}

/** `beginning` is what its clock says at first, in milliseconds. */
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
  const clients: Github[] = [];
  let counted = 0;

  function client(): Github {
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
