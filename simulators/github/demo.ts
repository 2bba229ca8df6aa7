/**
 * Sets up a simulated GitHub for `legion demo`: the sample project in a repository, a board, CI,
 * and an account for each role that writes.
 */

import { STATUSES } from '../../src/core/model/status.ts';
import { PROJECT, UNIT_TESTS } from '../../src/demo/project.ts';
import type { GithubSimulator } from './simulator.ts';

export const DEMO_REPO = 'legion/demo';

export interface DemoSeed {
  readonly project: `legion/${number}`;
  /** Tokens of ada, who owns everything, and of the two accounts that implement and review. */
  readonly tokens: { readonly ada: string; readonly impl: string; readonly review: string };
}

/** CI runs the sample project's own command in a clean checkout of each push. */
export async function seedDemo({ people, checks }: GithubSimulator): Promise<DemoSeed> {
  people.organization('legion', ['ada']);
  await people.repository(DEMO_REPO, { files: PROJECT });
  people.grant(DEMO_REPO, 'ada', 'ADMIN');
  people.grant(DEMO_REPO, 'legion-impl', 'WRITE');
  people.grant(DEMO_REPO, 'legion-review', 'WRITE');
  const number = people.project('legion', { title: 'Stockroom', statuses: STATUSES });
  checks.onPush(DEMO_REPO, { check: 'tests', argv: UNIT_TESTS });
  return {
    project: `legion/${number}`,
    tokens: {
      ada: people.token('ada'),
      impl: people.token('legion-impl'),
      review: people.token('legion-review'),
    },
  };
}
