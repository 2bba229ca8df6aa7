/** `legion.yaml` as a whole: every key, what it may hold, and its default. */
import type { z } from 'zod';
import { section } from '../schema/section.ts';
import type { Settled } from '../schema/settle.ts';
import { board } from './board.ts';
import { health } from './health.ts';
import { outside } from './outside.ts';
import { work } from './work.ts';

/** Some hundred times a long one; a parser's time grows with it. */
export const LEGION_FILE_MOST_BYTES = 128 * 1_024;

export const legionSchema = section({
  legion: board.legion.optional(),
  short_id: board.short_id.optional(),
  backend: board.backend.optional(),
  forge: board.forge.optional(),
  port: board.port.optional(),
  auto_advance: work.auto_advance.optional(),
  repos: board.repos.optional(),
  extra_projects: board.extra_projects.optional(),
  github: board.github.optional(),
  linear: board.linear.optional(),
  authors: board.authors.optional(),
  statuses: board.statuses.optional(),
  agents: work.agents.optional(),
  scripted: work.scripted.optional(),
  limits: work.limits.optional(),
  approvals: work.approvals.optional(),
  polling: work.polling.optional(),
  health: health.optional(),
  budgets: work.budgets.optional(),
  dispatch: work.dispatch.optional(),
  workspaces: outside.workspaces.optional(),
  credentials: outside.credentials.optional(),
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * In milliseconds where a file has a duration. What is missing here has its default elsewhere: times and counts of health in
 * the health contract, approvals and rounds in the pipeline's policy; or none, as budgets, which then have no limit.
 */
export const LEGION_DEFAULTS = {
  /** A placeholder while no name is given; commands refuse to use it. */
  legion: 'local',
  backend: 'local',
  /** Where the first documents have it. */
  port: 13_370,
  auto_advance: true,
  repos: [],
  extra_projects: [],
  /** GitHub asks for a second between writes of one account; faster ones run into its secondary limits. */
  github: { url: 'https://github.com', write_spacing: SECOND },
  linear: { url: 'https://api.linear.app' },
  /** Text of anybody else could steer a worker. */
  authors: { trust: 'writers', also: [] },
  statuses: {},
  /** No agent: the operator chooses who may spend money and change code. */
  agents: { default: {} },
  /** Ten workers and an hour for a check: specification. */
  limits: { workers: 10, per_mode: {}, rounds: {}, check_wait: 60 * MINUTE },
  approvals: {},
  /** 30 s is what peers poll GitHub with; the holding pattern of 5 and 20 unchanged polls is from the first documents. */
  polling: {
    interval: 30 * SECOND,
    slow_after: 5,
    slow_interval: 5 * MINUTE,
    slowest_after: 20,
    slowest_interval: 15 * MINUTE,
  },
  health: {},
  /** 10 and 50 dollars, three turns without progress: specification. Tokens count for agents that report no cost. */
  budgets: {
    worker: {},
    issue: { usd: 10 },
    day: { usd: 50, tokens: 50_000_000 },
    warn_at: 0.8,
    idle_turns: 3,
  },
  /** A measured race of agents that start together. */
  dispatch: { stagger: 2 * SECOND },
  workspaces: {},
  credentials: { worker_env: [], github: { workers: 'none' }, linear: {}, webhooks: {} },
} as const;

/** `forge` depends on the backend; everything else on nothing. */
export type LegionConfig = Settled<
  z.output<typeof legionSchema>,
  typeof LEGION_DEFAULTS & { forge: 'local' }
>;
