/** The operator's configuration and the repository's own as the settings the loop works by. */
import { healthOverrides } from '../../config/legion/health.ts';
import type { LegionConfig } from '../../config/legion/schema.ts';
import { DEFAULT_ISSUE_TOKENS } from '../../config/legion/work.ts';
import type { RepositoryConfig } from '../../config/repository/schema.ts';
import { DEFAULT_POLICY, type Policy } from '../../core/pipeline/policy.ts';
import type { Budget, Budgets } from '../../health/budget.ts';
import type { Settings } from '../settings.ts';

/** Where the operator asks for no room: a checkout and its build fit, and the journal can still be written. */
const LEAST_DISK_BYTES = 256 * 1_024 * 1_024;
const LEAST_MEMORY_BYTES = 128 * 1_024 * 1_024;

/** Asked for at every look at every issue and worker, and made anew only when the file has changed. */
export function presentSettings(config: () => LegionConfig): () => Settings {
  return remembered((): [LegionConfig] => [config()], settingsFrom);
}

/** The same for the rules of one repository; `undefined` where there is none. */
export function policyUnder(
  config: () => LegionConfig,
  rules: () => { readonly config: RepositoryConfig; readonly approved: boolean } | undefined,
  isDemo: boolean,
): () => Policy {
  return remembered((): Parameters<typeof policyFrom> => {
    const own = rules();
    return [config(), own?.config, own?.approved ?? false, isDemo];
  }, policyFrom);
}

function remembered<Given extends readonly unknown[], T>(
  given: () => Given,
  make: (...from: Given) => T,
): () => T {
  let last: { readonly from: Given; readonly made: T } | undefined;
  return () => {
    const from = given();
    if (last === undefined || from.some((each, index) => each !== last?.from[index]))
      last = { from, made: make(...from) };
    return last.made;
  };
}

function settingsFrom(config: LegionConfig): Settings {
  const { limits, dispatch, polling } = config;
  return {
    autoAdvance: config.auto_advance,
    columns: defined(config.statuses),
    places: { workers: limits.workers, perMode: defined(limits.per_mode) },
    staggerMs: dispatch.stagger,
    checkWaitMs: limits.check_wait,
    health: healthOverrides(config),
    budgets: budgetsFrom(config.budgets),
    polling: {
      normalMs: polling.interval,
      holding: [
        { unchanged: polling.slowest_after, ms: polling.slowest_interval },
        { unchanged: polling.slow_after, ms: polling.slow_interval },
      ],
    },
    room: {
      diskBytes: dispatch.min_free_disk ?? LEAST_DISK_BYTES,
      memoryBytes: dispatch.min_free_memory ?? LEAST_MEMORY_BYTES,
    },
  };
}

function budgetsFrom({ worker, issue, day, warn_at, idle_turns }: LegionConfig['budgets']): Budgets {
  const { tokens, usd, ...others } = issue;
  return {
    worker: budgetFrom(worker),
    issue: {
      ...budgetFrom(others),
      ...limitOf('tokens', tokens),
      ...(tokens === undefined ? { unpricedTokens: DEFAULT_ISSUE_TOKENS } : {}),
      ...limitOf('usd', usd),
    },
    day: { ...limitOf('unpricedTokens', day.tokens), ...limitOf('usd', day.usd) },
    warnAt: warn_at,
    idleTurns: idle_turns,
  };
}

function limitOf(measure: keyof Budget, limit: number | 'none' | undefined): Budget {
  return limit === undefined || limit === 'none' ? {} : { [measure]: limit };
}

function budgetFrom({ wall_clock, ...others }: LegionConfig['budgets']['worker']): Budget {
  return { ...(wall_clock === undefined ? {} : { wallMs: wall_clock }), ...defined(others) };
}

function policyFrom(
  { approvals, limits }: LegionConfig,
  repository: RepositoryConfig | undefined,
  approved: boolean,
  isDemoRepository: boolean,
): Policy {
  return {
    ...DEFAULT_POLICY,
    approvals: {
      architect: approvals.architect ?? DEFAULT_POLICY.approvals.architect,
      merge: approvals.merge ?? DEFAULT_POLICY.approvals.merge,
    },
    // A command nobody has approved does not run, so nothing may wait for it.
    qualityGate: approved && repository?.commands.quality_gate !== undefined ? 'configured' : 'none',
    rounds: { ...DEFAULT_POLICY.rounds, ...defined(limits.rounds) },
    autoMergeAllowed: repository?.merge.auto_merge_allowed ?? false,
    isDemoRepository,
  };
}

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
