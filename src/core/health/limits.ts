/** Defines every duration and count in the health contract, in ms unless the name says otherwise. */
import type { RateLimit } from './evidence.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface HealthLimits {
  readonly notStarted: number;
  readonly thinking: number;
  readonly thinkingHard: number;
  readonly inTool: number;
  readonly inToolHard: number;
  readonly reporting: number;
  readonly remind: number;
  readonly quotaJitter: number;
  readonly quotaUnknown: number;
  readonly quotaLongest: number;
  readonly grace: number;
  readonly probeSilence: number;
  readonly probeRetry: number;
  readonly secondLook: number;
  readonly unresolved: number;
  readonly cpuSign: number;
  readonly questions: number;
  readonly heartbeat: number;
  readonly afterStep: number;
  readonly watchGap: number;
  readonly clockSkew: number;
  readonly respawns: number;
  readonly backoffFirst: number;
  readonly backoffMost: number;
  readonly backoffReset: number;
  readonly loopCrashes: number;
  readonly loopWindow: number;
  readonly breakerCrashes: number;
  readonly breakerWindow: number;
  readonly breakerQuiet: number;
  readonly stopGrace: number;
  readonly stopWorking: number;
  readonly termToKill: number;
  readonly drain: number;
  readonly stopUnchecked: number;
  readonly killJudged: number;
}

export const DEFAULT_HEALTH_LIMITS: HealthLimits = {
  /**
   * Maximum time to wait for the first agent event, set by the contract. In a comparable tool, 120
   * s proved too short; healthy starts take 110–150 s.
   */
  notStarted: 300 * SECOND,
  /**
   * Allowed silence between tool calls, set by the contract. A comparable tool with a limit of 5
   * min killed healthy workers.
   */
  thinking: 600 * SECOND,
  /**
   * Hard limit for thinking, set by the contract. Beyond it, CPU use alone no longer clears the
   * flag, and a person is notified.
   */
  thinkingHard: 30 * MINUTE,
  /**
   * Maximum duration of one tool call, set by the contract. Builds and test suites that take 100
   * min are healthy.
   */
  inTool: 2 * HOUR,
  /**
   * Hard limit for a tool call, after which a person is notified. The contract sets none, so this
   * is twice `inTool`.
   */
  inToolHard: 4 * HOUR,
  /**
   * Maximum time to wait for a report to be accepted, and the interval of the lost-message check.
   * Set by the contract.
   */
  reporting: 60 * SECOND,
  /** Interval between reminders to a person who has to act. Set by the contract. */
  remind: DAY,
  /**
   * Range over which wake-ups are spread after a shared quota reset. Small compared to the shortest
   * reset seen, 63 s.
   */
  quotaJitter: 15 * SECOND,
  /**
   * Duration of a wait for quota if the reset time is unreadable. The contract sets none, so this
   * equals the maximum crash backoff.
   */
  quotaUnknown: 300 * SECOND,
  /**
   * A reset time further ahead than this is considered misread: the longest quota window of a
   * provider is a month.
   */
  quotaLongest: 32 * DAY,
  /** Time after the daemon's own start during which no verdict is given. Set by the contract. */
  grace: 60 * SECOND,
  /** Duration of silence after a probe before the crash is confirmed. Set by the contract. */
  probeSilence: 120 * SECOND,
  /** Delay before a failed probe is retried. Allows four tries within `probeSilence`. */
  probeRetry: 30 * SECOND,
  /**
   * Delay before the second check of a process that is gone, so that its last writes reach the disk
   * and are read first.
   */
  secondLook: 5 * SECOND,
  /**
   * A flag that stays unresolved this long is reported to a person. Equals the hard limit for
   * thinking.
   */
  unresolved: 30 * MINUTE,
  /**
   * CPU time that must be used after the flag was raised to count as activity. The timers of an
   * idle runtime use less than this in 120 s.
   */
  cpuSign: 500,
  /**
   * Number of questions to an idle worker before the next question goes to a person. Equals the
   * limit of the Stop hook.
   */
  questions: 2,
  /** Default interval between checks of an attempt. Equals the contract's sweep interval. */
  heartbeat: 60 * SECOND,
  /** Delay before the result of a step is checked. Short, but long enough to avoid a busy loop. */
  afterStep: SECOND,
  /**
   * A gap of one and a half heartbeats between checks means that the daemon slept. Deliberately
   * shorter than `probeSilence`.
   */
  watchGap: 90 * SECOND,
  /** Allowed difference between the clocks of two hosts. With NTP they differ by less. */
  clockSkew: 5 * SECOND,
  /**
   * Number of respawns after confirmed crashes before a person has to decide. Set by the contract.
   */
  respawns: 1,
  /** Backoff in a crash loop: 10, 20, 40, 80, 160, 300, 300 … s, as in Kubernetes. */
  backoffFirst: 10 * SECOND,
  backoffMost: 300 * SECOND,
  /** If an attempt ran this long, it was healthy, so the backoff series starts over. */
  backoffReset: 10 * MINUTE,
  /**
   * Five crashes in 30 min stop the worker even if more respawns are allowed, like OTP's restart
   * intensity.
   */
  loopCrashes: 5,
  loopWindow: 30 * MINUTE,
  /**
   * Mass crash: 3 crashes within 30 s across the fleet. The values are from the contract and a
   * comparable tool.
   */
  breakerCrashes: 3,
  breakerWindow: 30 * SECOND,
  /**
   * Quiet period before the breaker closes by itself. The contract sets none, so this equals the
   * maximum crash backoff.
   */
  breakerQuiet: 300 * SECOND,
  /**
   * Time to wait before SIGTERM after the request to stop. The contract requires a grace period but
   * sets no number.
   */
  stopGrace: 30 * SECOND,
  /** Extension of the grace period if the worker says it is still working. Set by the contract. */
  stopWorking: 300 * SECOND,
  /**
   * SIGTERM to the process group, SIGKILL after 10 s, then at most 1 s to read remaining output.
   * The values are from the contract, Buildkite and execa.
   */
  termToKill: 10 * SECOND,
  drain: SECOND,
  /**
   * A process that cannot be identified is never signalled. After this time it is recorded as a
   * zombie.
   */
  stopUnchecked: 300 * SECOND,
  /**
   * A kill counts as correct if nothing contradicts it for this long. Late reports arrive within
   * minutes, not hours.
   */
  killJudged: HOUR,
};

const LIMIT_NAMES = Object.keys(DEFAULT_HEALTH_LIMITS) as readonly (keyof HealthLimits)[];

/**
 * Cached, because every check of every worker needs the limits and they change only with the
 * configuration.
 */
const RESOLVED_LIMITS = new WeakMap<Partial<HealthLimits>, HealthLimits>([
  [DEFAULT_HEALTH_LIMITS, DEFAULT_HEALTH_LIMITS],
]);

/**
 * Fills in the default for each limit that is missing, negative or not a number. `overrides` must
 * not be changed later, because the result is cached.
 */
export function resolveHealthLimits(overrides: Partial<HealthLimits>): HealthLimits {
  const known = RESOLVED_LIMITS.get(overrides);
  if (known !== undefined) return known;
  const filled = applyDefaultLimits(overrides);
  RESOLVED_LIMITS.set(overrides, filled);
  return filled;
}

function applyDefaultLimits(overrides: Partial<HealthLimits>): HealthLimits {
  const limits: Record<keyof HealthLimits, number> = { ...DEFAULT_HEALTH_LIMITS };
  for (const name of LIMIT_NAMES) {
    const value = overrides[name];
    if (value !== undefined && Number.isFinite(value) && value >= 0) limits[name] = value;
  }
  return limits;
}

/**
 * Returns the time at which a provider's quota resets, or undefined if there is no plausible time.
 * A time before the refusal would cause a resume loop. With a time years ahead, the attempt would
 * never resume.
 */
export function findQuotaReset(
  { seenAt, resetAt }: RateLimit,
  { quotaLongest }: Pick<HealthLimits, 'quotaLongest'>,
): number | undefined {
  if (resetAt === 'unknown' || !(resetAt >= 0)) return undefined;
  return resetAt >= seenAt && resetAt - seenAt <= quotaLongest ? resetAt : undefined;
}
