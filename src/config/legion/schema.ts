/** Defines `legion.yaml` as a whole: every key, its valid values and its default. */
import { z } from 'zod';
import { WORKER_VARIABLE } from '../../core/model/environment.ts';
import { readLegionId } from '../../core/model/ids.ts';
import { STATUSES } from '../../core/model/status.ts';
import {
  defineChoice,
  defineDuration,
  defineInteger,
  defineLeaf,
  defineList,
  defineSecret,
  defineText,
} from '../schema/leaf.ts';
import {
  defineNamedSection,
  defineSection,
  NAME_ALLOWED,
  NAME_PATTERN,
  type WithDefaults,
} from '../schema/section.ts';
import { health, work } from './work.ts';

/** A GitHub project board: `owner/number`. */
export const PROJECT_PATTERN = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[1-9]\d{0,9}$/;

/**
 * `owner/name` on github.com, or `host/owner/name`. No part begins with punctuation, so none can be
 * `..` or an option.
 */
const REPOSITORY_PATTERN =
  /^(?:[a-z0-9][a-z0-9.-]{0,252}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

const PATH_PATTERN = /^(?:\/|~\/)/;
const definePath = () => defineText(4_096, 'an absolute path, or one that begins with ~/', PATH_PATTERN);

/** Longer than any board allows. */
const MAX_COLUMN_CHARS = 200;
const column = z.string().trim().min(1).max(MAX_COLUMN_CHARS);

const repository = defineSection({
  repo: defineText(300, 'owner/name or host/owner/name', REPOSITORY_PATTERN),
  path: definePath().optional(),
  base: defineText(200, 'a branch name', /^[A-Za-z0-9][A-Za-z0-9._/-]*$/).optional(),
  labels: defineList(defineText(100, 'a label'), 50, 'a list of labels').optional(),
  projects: defineList(defineText(200, 'a project name'), 50, 'a list of project names').optional(),
});

const board = {
  legion: defineLeaf(
    z.string().refine((id) => readLegionId(id).ok),
    { allowed: 'a name, a GitHub owner/project-number or the UUID of a Linear team', kind: 'text' },
  ),
  short_id: defineText(63, NAME_ALLOWED, NAME_PATTERN),
  backend: defineChoice(['local', 'github', 'linear']),
  forge: defineChoice(['local', 'github']),
  port: defineInteger(0, 65_535),
  repos: z
    .array(z.preprocess((entry) => (typeof entry === 'string' ? { repo: entry } : entry), repository))
    .max(200),
  extra_projects: defineList(
    defineText(60, 'a GitHub owner/project-number', PROJECT_PATTERN),
    50,
    'a list of GitHub projects, each as owner/project-number',
  ),
  github: defineSection({
    url: defineText(
      500,
      'a URL such as https://github.com or https://github.example.com',
      /^https?:\/\/[^\s/@?#]+$/,
    ).optional(),
    write_spacing: defineDuration().optional(),
  }),
  linear: defineSection({
    url: defineText(500, 'a URL such as https://api.linear.app', /^https?:\/\/[^\s/@?#]+$/).optional(),
  }),
  authors: defineSection({
    trust: defineChoice(['writers', 'anyone']).optional(),
    also: defineList(defineText(100, 'an account name'), 500, 'a list of account names').optional(),
  }),
  statuses: defineNamedSection(
    'status',
    STATUSES,
    defineLeaf(z.union([column.transform((name) => [name]), z.array(column).min(1).max(20)]), {
      allowed: 'a column name, or a list of them',
      kind: 'list',
    }),
  ),
};

/** Secrets are referenced, never written out, because the file may be committed or shown. */
const defineReference = () =>
  defineSecret('env:VARIABLE or file:/absolute/path', /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:(?:\/|~\/).+)$/);

/**
 * A GitHub App acts as itself, and a token acts as the account that owns it. The App wins if both
 * are set.
 */
const identity = {
  token: defineReference().optional(),
  app_id: defineInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  installation_id: defineInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  private_key: defineReference().optional(),
};

/** The part of `legion.yaml` for workspaces and credentials. */
const accessSections = {
  workspaces: defineSection({
    kind: defineChoice(['git-worktree', 'jj']).optional(),
    root: definePath().optional(),
  }),
  credentials: defineSection({
    worker_env: defineList(
      defineText(200, 'a variable such as MY_KEY, not one that makes programs load code', WORKER_VARIABLE),
      100,
      'a list of variable names',
    ).optional(),
    github: defineSection({
      ...identity,
      impl: defineSection(identity).optional(),
      review: defineSection(identity).optional(),
      /** `env` passes the role's token to agents that run `gh` themselves. */
      workers: defineChoice(['none', 'env']).optional(),
    }).optional(),
    /** A person's key, or the token of an OAuth app that acts as itself. */
    linear: defineSection({
      api_key: defineReference().optional(),
      access_token: defineReference().optional(),
    }).optional(),
    webhooks: defineSection({
      github: defineReference().optional(),
      linear: defineReference().optional(),
    }).optional(),
  }),
};

/** About a hundred times the size of a long file. Parsing time grows with the size. */
export const MAX_LEGION_FILE_BYTES = 128 * 1_024;

export const legionSchema = defineSection({
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
  comments: work.comments.optional(),
  polling: work.polling.optional(),
  health: health.optional(),
  budgets: work.budgets.optional(),
  dispatch: work.dispatch.optional(),
  workspaces: accessSections.workspaces.optional(),
  credentials: accessSections.credentials.optional(),
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Durations are in milliseconds. Keys that are missing here have their default elsewhere: health
 * durations and counts in the health contract, approvals and rounds in the pipeline's policy.
 * Budgets without a default have no limit.
 */
export const LEGION_DEFAULTS = {
  /** A placeholder while no name is set. Commands refuse to use it. */
  legion: 'local',
  backend: 'local',
  /** Port given in the project's first documents. */
  port: 13_370,
  auto_advance: true,
  repos: [],
  extra_projects: [],
  /**
   * GitHub asks for a second between writes of one account. Faster writes hit its secondary limits.
   */
  github: { url: 'https://github.com', write_spacing: SECOND },
  linear: { url: 'https://api.linear.app' },
  /** Trusts only authors with write access, because text from anyone else could steer a worker. */
  authors: { trust: 'writers', also: [] },
  statuses: {},
  /** No default agent: the operator chooses the agent that may spend money and change code. */
  agents: { default: {} },
  /** Ten workers, and an hour's wait for a check, as the specification requires. */
  limits: { workers: 10, per_mode: {}, rounds: {}, check_wait: 60 * MINUTE },
  approvals: {},
  /** People follow an issue on its tracker, so the output of each phase is shown there. */
  comments: { specification: 'on', plan: 'on', test: 'on' },
  /**
   * Comparable tools poll GitHub every 30 s. The slowdown after 5 and 20 unchanged polls comes from
   * the project's first documents.
   */
  polling: {
    interval: 30 * SECOND,
    slow_after: 5,
    slow_interval: 5 * MINUTE,
    slowest_after: 20,
    slowest_interval: 15 * MINUTE,
  },
  health: {},
  /**
   * An issue may cost 10 dollars, a day 50, and three turns may pass without progress, as the
   * specification requires. The token limit applies to agents that report no cost.
   */
  budgets: {
    worker: {},
    issue: { usd: 10 },
    day: { usd: 50, tokens: 50_000_000 },
    warn_at: 0.8,
    idle_turns: 3,
  },
  /** Avoids a race, seen in measurements, between agents that start at the same time. */
  dispatch: { stagger: 2 * SECOND },
  workspaces: { kind: 'git-worktree' },
  credentials: { worker_env: [], github: { workers: 'none' }, linear: {}, webhooks: {} },
} as const;

/** The default of `forge` depends on the backend. All others are fixed. */
export type LegionConfig = WithDefaults<
  z.output<typeof legionSchema>,
  typeof LEGION_DEFAULTS & { forge: 'local' }
>;

export type RepositoryEntry = LegionConfig['repos'][number];

/** Splits `owner/name` or `host/owner/name`, already validated by the configuration. */
export function parseRepositoryName(repo: string): { readonly owner: string; readonly name: string } {
  const [name = '', owner = ''] = repo.split('/').toReversed();
  return { owner, name };
}
