/** Defines the part of `legion.yaml` about agents, limits, budgets, approvals and health. */

import { WORKER_VARIABLE } from '../../core/model/environment.ts';
import { MODES, ROUND_REASONS } from '../../core/model/mode.ts';
import {
  defineAmount,
  defineBoolean,
  defineChoice,
  defineDuration,
  defineInteger,
  defineLimit,
  defineSize,
  defineText,
} from '../schema/leaf.ts';
import { buildShape, defineNamedSection, defineSection } from '../schema/section.ts';

/**
 * A higher number on one machine is a typo. A legion with several hosts counts each host
 * separately.
 */
const MAX_WORKERS = 1_000;
const MAX_ROUNDS = 100;
const SECOND_MS = 1_000;

export const AGENT_KINDS = ['claude-code', 'opencode', 'codex', 'scripted'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

const agentUse = {
  agent: defineChoice(AGENT_KINDS).optional(),
  model: defineText(200, 'the name of a model').optional(),
  url: defineText(2_000, 'a URL that begins with http:// or https://', /^https?:\/\/[^\s@]+$/).optional(),
  key_variable: defineText(
    200,
    'a variable such as MY_KEY, not one that makes programs load code',
    WORKER_VARIABLE,
  ).optional(),
};

const agent = defineSection({
  ...agentUse,
  fallback: defineSection(agentUse).optional(),
  view: defineChoice(['none', 'tmux']).optional(),
});

const budget = defineSection({
  wall_clock: defineDuration(SECOND_MS).optional(),
  turns: defineInteger(1, 1_000_000).optional(),
  tokens: defineInteger(1, 1_000_000_000_000).optional(),
  usd: defineAmount(1_000_000, 'an amount of dollars above 0').optional(),
});

/** Token budget of an issue for agents that report no cost, if no token limit is set. */
export const DEFAULT_ISSUE_TOKENS = 10_000_000;

const MAX_USD = 1_000_000;
const MAX_TOKENS = 1_000_000_000_000;

const issueBudget = defineSection({
  wall_clock: defineDuration(SECOND_MS).optional(),
  turns: defineInteger(1, 1_000_000).optional(),
  tokens: defineLimit(MAX_TOKENS, 'a number of tokens').optional(),
  usd: defineLimit(MAX_USD, 'an amount of dollars').optional(),
});

const dayBudget = defineSection({
  tokens: defineLimit(MAX_TOKENS, 'a number of tokens').optional(),
  usd: defineLimit(MAX_USD, 'an amount of dollars').optional(),
});

export const work = {
  auto_advance: defineBoolean(),
  /**
   * `default` applies to every mode without an entry. If a mode has an entry, `default` supplies
   * the values that the entry lacks.
   */
  agents: defineNamedSection('mode', ['default', ...MODES], agent),
  /** Second confirmation that the scripted agent needs outside `legion demo`. */
  scripted: defineChoice(['allowed']),
  limits: defineSection({
    workers: defineInteger(1, MAX_WORKERS).optional(),
    per_mode: defineNamedSection('mode', MODES, defineInteger(0, MAX_WORKERS)).optional(),
    respawns: defineInteger(0, MAX_ROUNDS).optional(),
    rounds: defineNamedSection('reason', ROUND_REASONS, defineInteger(0, MAX_ROUNDS)).optional(),
    check_wait: defineDuration(SECOND_MS).optional(),
  }),
  approvals: defineSection({
    architect: defineChoice(['required', 'auto']).optional(),
    merge: defineChoice(['required', 'auto']).optional(),
  }),
  comments: defineSection({
    specification: defineChoice(['on', 'off']).optional(),
    plan: defineChoice(['on', 'off']).optional(),
    test: defineChoice(['on', 'off']).optional(),
  }),
  polling: defineSection({
    interval: defineDuration(SECOND_MS).optional(),
    slow_after: defineInteger(1, 1_000_000).optional(),
    slow_interval: defineDuration(SECOND_MS).optional(),
    slowest_after: defineInteger(1, 1_000_000).optional(),
    slowest_interval: defineDuration(SECOND_MS).optional(),
  }),
  budgets: defineSection({
    worker: budget.optional(),
    issue: issueBudget.optional(),
    day: dayBudget.optional(),
    warn_at: defineAmount(1, 'a share above 0 and up to 1, such as 0.8').optional(),
    idle_turns: defineInteger(1, 1_000).optional(),
  }),
  dispatch: defineSection({
    stagger: defineDuration().optional(),
    min_free_disk: defineSize().optional(),
    min_free_memory: defineSize().optional(),
  }),
};

/**
 * Names as in the health contract, which also defines the defaults. `respawns` is set in the
 * `limits` section instead.
 */
const DURATIONS = [
  'not_started',
  'thinking',
  'thinking_hard',
  'in_tool',
  'in_tool_hard',
  'reporting',
  'remind',
  'quota_jitter',
  'quota_unknown',
  'quota_longest',
  'grace',
  'probe_silence',
  'second_look',
  'unresolved',
  'cpu_sign',
  'watch_gap',
  'clock_skew',
  'backoff_first',
  'backoff_most',
  'backoff_reset',
  'loop_window',
  'breaker_window',
  'breaker_quiet',
  'stop_grace',
  'stop_working',
  'term_to_kill',
  'drain',
  'stop_unchecked',
  'kill_judged',
] as const;

/** Intervals of repeated checks. Zero would be a busy loop. */
const INTERVALS = ['probe_retry', 'heartbeat', 'after_step'] as const;
const MIN_INTERVAL_MS = 1_000;

const COUNTS = ['questions', 'loop_crashes', 'breaker_crashes'] as const;
const MAX_COUNT = 1_000;

/** Overrides of the durations and counts of the health contract. */
export const health = defineSection({
  ...buildShape(DURATIONS, () => defineDuration()),
  ...buildShape(INTERVALS, () => defineDuration(MIN_INTERVAL_MS)),
  ...buildShape(COUNTS, () => defineInteger(1, MAX_COUNT)),
});

type HealthKey = keyof (typeof health)['def']['out']['shape'];
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** Returns the overrides under the health contract's own names: `notStarted`, not `not_started`. */
export function toHealthOverrides(config: {
  readonly health: Readonly<Partial<Record<HealthKey, number | undefined>>>;
  readonly limits: { readonly respawns?: number | undefined };
}): Partial<Record<CamelCase<HealthKey> | 'respawns', number>> {
  const entries = Object.entries({ ...config.health, respawns: config.limits.respawns });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined).map(([key, value]) => [toCamelCase(key), value]),
  );
}

function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
