/** Derives the loop's settings from the operator's and the repository's configuration. */

import type { LegionConfig } from '../../config/legion/schema.ts';
import { DEFAULT_ISSUE_TOKENS, toHealthOverrides } from '../../config/legion/work.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import type { Budget, BudgetSettings } from '../../core/health/budget.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../core/pipeline/policy.ts';
import type { DaemonSettings } from '../context/daemon-context.ts';

/** Default limits: enough for a checkout and its build, and for writing the journal. */
const MIN_DISK_BYTES = 256 * 1_024 * 1_024;
const MIN_MEMORY_BYTES = 128 * 1_024 * 1_024;

/**
 * Returns a function that reads the settings. They are read for every issue and worker in every
 * pass, so they are rebuilt only when the configuration changes.
 */
export function createSettingsReader(config: () => LegionConfig): () => DaemonSettings {
  return createCachedReader((): [LegionConfig] => [config()], buildSettings);
}

/**
 * Like `createSettingsReader`, but for one repository's policy. `rules` returns `undefined` if
 * there is no repository.
 */
export function createPolicyReader(
  config: () => LegionConfig,
  rules: () => { readonly config: RepositoryConfig; readonly approved: boolean } | undefined,
  isDemo: boolean,
): () => PipelinePolicy {
  return createCachedReader((): Parameters<typeof buildPolicy> => {
    const own = rules();
    return [config(), own?.config, own?.approved ?? false, isDemo];
  }, buildPolicy);
}

function createCachedReader<Given extends readonly unknown[], T>(
  values: () => Given,
  make: (...from: Given) => T,
): () => T {
  let last: { readonly from: Given; readonly made: T } | undefined;
  return () => {
    const from = values();
    if (last === undefined || from.some((each, index) => each !== last?.from[index]))
      last = { from, made: make(...from) };
    return last.made;
  };
}

function buildSettings(config: LegionConfig): DaemonSettings {
  const { limits, dispatch, polling, comments } = config;
  return {
    autoAdvance: config.auto_advance,
    columns: omitUndefined(config.statuses),
    slots: { workers: limits.workers, perMode: omitUndefined(limits.per_mode) },
    staggerMs: dispatch.stagger,
    checkWaitMs: limits.check_wait,
    comments: {
      specification: comments.specification === 'on',
      plan: comments.plan === 'on',
      test: comments.test === 'on',
    },
    health: toHealthOverrides(config),
    budgets: buildBudgets(config.budgets),
    polling: {
      normalMs: polling.interval,
      holding: [
        { unchanged: polling.slowest_after, ms: polling.slowest_interval },
        { unchanged: polling.slow_after, ms: polling.slow_interval },
      ],
    },
    requiredResources: {
      diskBytes: dispatch.min_free_disk ?? MIN_DISK_BYTES,
      memoryBytes: dispatch.min_free_memory ?? MIN_MEMORY_BYTES,
    },
  };
}

function buildBudgets({ worker, issue, day, warn_at, idle_turns }: LegionConfig['budgets']): BudgetSettings {
  const { tokens, usd, ...others } = issue;
  return {
    worker: buildBudget(worker),
    issue: {
      ...buildBudget(others),
      ...toBudgetLimit('tokens', tokens),
      ...(tokens === undefined ? { unpricedTokens: DEFAULT_ISSUE_TOKENS } : {}),
      ...toBudgetLimit('usd', usd),
    },
    day: { ...toBudgetLimit('unpricedTokens', day.tokens), ...toBudgetLimit('usd', day.usd) },
    warnAt: warn_at,
    idleTurns: idle_turns,
  };
}

function toBudgetLimit(measure: keyof Budget, limit: number | 'none' | undefined): Budget {
  return limit === undefined || limit === 'none' ? {} : { [measure]: limit };
}

function buildBudget({ wall_clock, ...others }: LegionConfig['budgets']['worker']): Budget {
  return { ...(wall_clock === undefined ? {} : { wallMs: wall_clock }), ...omitUndefined(others) };
}

function buildPolicy(
  { approvals, limits }: LegionConfig,
  repository: RepositoryConfig | undefined,
  approved: boolean,
  isDemoRepository: boolean,
): PipelinePolicy {
  return {
    ...DEFAULT_POLICY,
    approvals: {
      architect: approvals.architect ?? DEFAULT_POLICY.approvals.architect,
      merge: approvals.merge ?? DEFAULT_POLICY.approvals.merge,
    },
    // An unapproved quality gate never runs, so nothing must wait for it.
    qualityGate: approved && repository?.commands.quality_gate !== undefined ? 'configured' : 'none',
    rounds: { ...DEFAULT_POLICY.rounds, ...omitUndefined(limits.rounds) },
    autoMergeAllowed: repository?.merge.auto_merge_allowed ?? false,
    isDemoRepository,
  };
}

function omitUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
