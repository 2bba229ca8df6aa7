/** The part of `legion.yaml` that says who works, how many at once, how long, and what needs a person. */

import { MODES } from '../../domain/mode.ts';
import { WORKER_VARIABLE } from '../../domain/refused-variables.ts';
import { ROUND_REASONS } from '../../domain/rounds.ts';
import { amount, choice, duration, limit, size, text, whole, yesNo } from '../schema/leaf.ts';
import { section, sectionOf } from '../schema/section.ts';

/** More on one machine is a typing error; a legion of several hosts counts each host by itself. */
const MOST_WORKERS = 1_000;
const MOST_ROUNDS = 100;
const SECOND_MS = 1_000;

export const AGENT_KINDS = ['claude-code', 'opencode', 'codex', 'scripted'] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

const agentUse = {
  agent: choice(AGENT_KINDS).optional(),
  model: text(200, 'the name of a model').optional(),
  url: text(2_000, 'an address that begins with http:// or https://', /^https?:\/\/[^\s@]+$/).optional(),
  key_variable: text(200, 'a variable that loads no code, such as MY_KEY', WORKER_VARIABLE).optional(),
};

const agent = section({
  ...agentUse,
  fallback: section(agentUse).optional(),
  view: choice(['none', 'tmux']).optional(),
});

const budget = section({
  wall_clock: duration(SECOND_MS).optional(),
  turns: whole(1, 1_000_000).optional(),
  tokens: whole(1, 1_000_000_000_000).optional(),
  usd: amount(1_000_000, 'an amount of dollars above 0').optional(),
});

/** What an issue may use up of an agent that reports no cost, where no limit of tokens is set. */
export const DEFAULT_ISSUE_TOKENS = 10_000_000;

const MOST_USD = 1_000_000;
const MOST_TOKENS = 1_000_000_000_000;

const issueBudget = section({
  wall_clock: duration(SECOND_MS).optional(),
  turns: whole(1, 1_000_000).optional(),
  tokens: limit(MOST_TOKENS, 'a number of tokens').optional(),
  usd: limit(MOST_USD, 'an amount of dollars').optional(),
});

const dayBudget = section({
  tokens: limit(MOST_TOKENS, 'a number of tokens').optional(),
  usd: limit(MOST_USD, 'an amount of dollars').optional(),
});

export const work = {
  auto_advance: yesNo(),
  /** `default` stands for every mode that has no entry, or whose entry leaves something out. */
  agents: sectionOf('mode', ['default', ...MODES], agent),
  /** The second word that the scripted agent needs outside `legion demo`. */
  scripted: choice(['allowed']),
  limits: section({
    workers: whole(1, MOST_WORKERS).optional(),
    per_mode: sectionOf('mode', MODES, whole(0, MOST_WORKERS)).optional(),
    respawns: whole(0, MOST_ROUNDS).optional(),
    rounds: sectionOf('reason', ROUND_REASONS, whole(0, MOST_ROUNDS)).optional(),
    check_wait: duration(SECOND_MS).optional(),
  }),
  approvals: section({
    architect: choice(['required', 'auto']).optional(),
    merge: choice(['required', 'auto']).optional(),
  }),
  polling: section({
    interval: duration(SECOND_MS).optional(),
    slow_after: whole(1, 1_000_000).optional(),
    slow_interval: duration(SECOND_MS).optional(),
    slowest_after: whole(1, 1_000_000).optional(),
    slowest_interval: duration(SECOND_MS).optional(),
  }),
  budgets: section({
    worker: budget.optional(),
    issue: issueBudget.optional(),
    day: dayBudget.optional(),
    warn_at: amount(1, 'a share above 0 and up to 1, such as 0.8').optional(),
    idle_turns: whole(1, 1_000).optional(),
  }),
  dispatch: section({
    stagger: duration().optional(),
    min_free_disk: size().optional(),
    min_free_memory: size().optional(),
  }),
};
