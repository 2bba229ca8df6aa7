/** The part of `legion.yaml` that changes the times and counts of the health contract. */
import { duration, whole } from '../schema/leaf.ts';
import { section, shapeOf } from '../schema/section.ts';

/** Named as in the health contract, which also has the defaults; `respawns` is among the limits. */
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

/** How often something is looked at: zero would be a busy loop. */
const INTERVALS = ['probe_retry', 'heartbeat', 'after_step'] as const;
const SHORTEST_INTERVAL_MS = 1_000;

const COUNTS = ['questions', 'loop_crashes', 'breaker_crashes'] as const;
const MOST_COUNTED = 1_000;

export const health = section({
  ...shapeOf(DURATIONS, () => duration()),
  ...shapeOf(INTERVALS, () => duration(SHORTEST_INTERVAL_MS)),
  ...shapeOf(COUNTS, () => whole(1, MOST_COUNTED)),
});

type HealthKey = keyof (typeof health)['def']['out']['shape'];
type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** What differs from the contract, under the names the contract's code has: `notStarted`, not `not_started`. */
export function healthOverrides(config: {
  readonly health: Readonly<Partial<Record<HealthKey, number | undefined>>>;
  readonly limits: { readonly respawns?: number | undefined };
}): Partial<Record<Camel<HealthKey> | 'respawns', number>> {
  const given = Object.entries({ ...config.health, respawns: config.limits.respawns });
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([key, value]) => [camelCase(key), value]),
  );
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
