/** Every time and count the health contract works with, in milliseconds unless the name says otherwise. */

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

export const HEALTH_LIMITS: HealthLimits = {
  /** No agent event yet: contract. A peer found 120 s too short, healthy starts take 110–150 s. */
  notStarted: 300 * SECOND,
  /** Silent between tools: contract. A peer that used 5 min killed healthy workers. */
  thinking: 600 * SECOND,
  /** The hard limit of thinking: contract. Beyond it a warm CPU alone no longer reassures; a person is told. */
  thinkingHard: 30 * MINUTE,
  /** One tool: contract. Builds and test suites of 100 min are healthy. */
  inTool: 2 * HOUR,
  /** The contract has no hard limit for a tool; twice the suspicion, then a person is told. */
  inToolHard: 4 * HOUR,
  /** From a report to its acceptance, and how often lost messages are swept: contract. */
  reporting: 60 * SECOND,
  /** A waiting person is reminded daily: contract. */
  remind: DAY,
  /** Spread over which sessions wake after a shared quota reset; small beside the shortest reset seen, 63 s. */
  quotaJitter: 15 * SECOND,
  /** Without a readable reset time; the contract is silent, the ceiling of the crash back-off is taken. */
  quotaUnknown: 300 * SECOND,
  /** A reset further away was misread: the longest window of a provider is a month. */
  quotaLongest: 32 * DAY,
  /** No verdict so soon after the daemon's own start: contract. */
  grace: 60 * SECOND,
  /** Silence after a probe that confirms a crash: contract. */
  probeSilence: 120 * SECOND,
  /** Before a probe that could not run is tried again; four tries within one probe silence. */
  probeRetry: 30 * SECOND,
  /** Between two looks at a process that is gone, so that what it wrote in its last moment is on disk and read. */
  secondLook: 5 * SECOND,
  /** A flag nobody could resolve for this long goes to a person; the same 30 min as the hard limit of thinking. */
  unresolved: 30 * MINUTE,
  /** CPU time since the flag that counts as life: an idle runtime's own timers use less than this in 120 s. */
  cpuSign: 500,
  /** How often an idle worker is asked before a person is: as often as the Stop hook insists. */
  questions: 2,
  /** How often an attempt is looked at when nothing else calls for it: the sweep of the contract. */
  heartbeat: 60 * SECOND,
  /** After a step its result is looked at soon, yet never in a busy loop. */
  afterStep: SECOND,
  /** A heartbeat and a half without a look means that the daemon slept; shorter than `probeSilence` on purpose. */
  watchGap: 90 * SECOND,
  /** Clocks of two hosts under NTP differ by less. */
  clockSkew: 5 * SECOND,
  /** Respawns after a confirmed crash, then a person: contract. */
  respawns: 1,
  /** Crash loop: 10, 20, 40, 80, 160, 300, 300 … s, as Kubernetes does. */
  backoffFirst: 10 * SECOND,
  backoffMost: 300 * SECOND,
  /** A life this long was healthy and begins the series anew. */
  backoffReset: 10 * MINUTE,
  /** Five crashes in 30 min stop the worker even where more respawns are allowed: OTP's restart intensity. */
  loopCrashes: 5,
  loopWindow: 30 * MINUTE,
  /** Mass death: 3 in 30 s across the fleet, contract and a peer. */
  breakerCrashes: 3,
  breakerWindow: 30 * SECOND,
  /** Quiet before the breaker closes by itself; the contract is silent, the ceiling of the crash back-off is taken. */
  breakerQuiet: 300 * SECOND,
  /** From the question to stop until SIGTERM; the contract names a grace without a number. */
  stopGrace: 30 * SECOND,
  /** A worker that says it is still working may end its thought: the limit of thinking. */
  stopWorking: 600 * SECOND,
  /** TERM to the group, 10 s, KILL, at most 1 s of drain: contract, Buildkite, execa. */
  termToKill: 10 * SECOND,
  drain: SECOND,
  /** A process that cannot be identified is never signalled; after this long it is recorded as a zombie instead. */
  stopUnchecked: 300 * SECOND,
  /** A kill nothing has contradicted for this long was right; late reports arrive within sweeps, not hours. */
  killJudged: HOUR,
};

const NAMES = Object.keys(HEALTH_LIMITS) as readonly (keyof HealthLimits)[];

/** Every look at every worker asks for them, and they change with the configuration only. */
const FILLED = new WeakMap<Partial<HealthLimits>, HealthLimits>([[HEALTH_LIMITS, HEALTH_LIMITS]]);

/** The given limits with the default in place of each that is missing, negative or not a number; not to be changed later. */
export function healthLimits(given: Partial<HealthLimits>): HealthLimits {
  const known = FILLED.get(given);
  if (known !== undefined) return known;
  const filled = filledUp(given);
  FILLED.set(given, filled);
  return filled;
}

function filledUp(given: Partial<HealthLimits>): HealthLimits {
  const limits: Record<keyof HealthLimits, number> = { ...HEALTH_LIMITS };
  for (const name of NAMES) {
    const value = given[name];
    if (value !== undefined && Number.isFinite(value) && value >= 0) limits[name] = value;
  }
  return limits;
}
